// A wait for responses goes on after a restart, and a hub with too many waits refuses before it opens the thread.
import { expect, it } from 'vitest';
import { configFile } from '../support/config-file.js';
import { criticalTeam, sendersOf } from '../support/critical-team.js';
import { eventually } from '../support/eventually.js';
import { startHubProcess } from '../support/hub-process.js';
import { metric, parkedAt } from '../support/metrics.js';
import { tempFolder } from '../support/temp-folder.js';

it('goes on after a kill and a restart, with answers from before and after', async () => {
  const data = tempFolder();
  const before = await startHubProcess({ data });
  const early = await criticalTeam(before, 'default');
  const lost = early.create({ wait_for_responses: 3, timeout_ms: 60_000 }).catch((error: unknown) => error);
  await parkedAt(before, 1);
  const threadId = await early.thread();
  await early.say('ben', threadId, 'before');
  await before.kill();
  expect(await lost).toBeInstanceOf(Error);
  const after = await startHubProcess({ data });
  const late = await criticalTeam(after, 'default');
  const waiting = late.wait(threadId);
  await parkedAt(after, 1);
  await late.say('cas', threadId, 'after');
  await late.say('dan', threadId, 'after all');
  const { responses, complete, wanted } = await waiting;
  expect({ complete, wanted }).toEqual({ complete: true, wanted: 3 });
  expect(sendersOf(responses)).toEqual(['ben', 'cas', 'dan']);
});

it('a hub without a place for another wait refuses before it opens the thread', async () => {
  const config = configFile({ limits: { parkedWaits: 1 } });
  const full = await startHubProcess({ args: ['--config', config] });
  const team = await criticalTeam(full, 'default');
  const first = team.create();
  await parkedAt(full, 1);
  const { body } = await team.tryCreate();
  expect(body.error).toMatchObject({ code: 'TOO_MANY_WAITS' });
  // The first wait has its place before its thread is there.
  await eventually('its thread is open', async () => (await metric(full.url, 'coterie_threads')) >= 1);
  expect(await metric(full.url, 'coterie_threads')).toBe(1);
  const threadId = await team.thread();
  await Promise.all([team.say('ben', threadId, 'one'), team.say('cas', threadId, 'two')]);
  await first;
  expect(await team.wait(threadId, { timeout_ms: 0 })).toMatchObject({ complete: true });
});
