// Whatever agents, readers, the reaper and restarts do to an inbox, the store does what the model says.
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { InboxRuns } from './inbox-property.js';
import { openInboxStore } from './inbox-store.js';

const runs = new InboxRuns(openInboxStore);
afterAll(() => runs.close());

interface KeptSeed {
  seed: number;
  path?: string;
  note: string;
}

const seedsFile = new URL('inbox-seeds.json', import.meta.url);
const keptSeeds = JSON.parse(readFileSync(seedsFile, 'utf8')) as KeptSeed[];

async function expectToHold(parameters: { seed?: number; path?: string; numRuns?: number }): Promise<void> {
  const details = await fc.check(runs.property, parameters);
  if (!details.failed) return;
  // The first part of the path leads to the run as it was before it was made shorter.
  const [path] = (details.counterexamplePath ?? '').split(':');
  const kept = JSON.stringify({ seed: details.seed, path, note: 'what was wrong' });
  expect.fail(
    `${fc.defaultReportMessage(details)}\n${String(details.errorInstance)}\n
To have it tried first from now on, add to ${seedsFile.pathname}:\n  ${kept}`,
  );
}

for (const { seed, path, note } of keptSeeds) {
  it(`seed ${seed}: ${note}`, () => expectToHold({ seed, ...(path === undefined ? {} : { path, numRuns: 1 }) }));
}

/** More on request, for a long hunt. */
const numRuns = Number(process.env['COTERIE_INBOX_RUNS'] ?? 100);

it('every run of commands ends as the model says', { timeout: 300_000 + numRuns * 3_000 }, () =>
  expectToHold({ numRuns }),
);
