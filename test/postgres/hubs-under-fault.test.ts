// Several hubs on one database under load, and everything that can happen to them. HUBS and MINUTES make it longer;
// scripts/fault-run.mjs sets them.
import { expect, it } from 'vitest';
import { drain, startClients, withHubsRun, type HubsRun } from '../fault/hubs-run.js';
import { describeSlowCalls, slowCallsOf } from '../fault/patience.js';
import { describeRecoveries, recoveriesOf } from '../fault/recovery.js';

const hubs = Number(process.env['HUBS'] ?? 3);
/** One deck when it is 0. */
const minutes = Number(process.env['MINUTES'] ?? 0);
/** The short run is always the same, as far as it can be. */
const seed = minutes === 0 ? { seed: 7 } : {};
/** It takes a second or two, on a machine that has time for it. */
const recoveryMsMax = 10_000;
/** What a call waits for the database, and the last attempt it makes. */
const patienceMs = 10_000 + 6_000;

it(
  `${hubs} hubs on a database lose nothing and repeat nothing unmarked, whatever dies, stands still or falls silent`,
  { timeout: 240_000 + minutes * 120_000 },
  async () => {
    const { verdict, recoveries } = await withHubsRun({ name: 'hubs and database', hubs, ...seed }, makeTrouble);
    expect(verdict.violations).toEqual([]);
    // That the database was away is no bug.
    expect(verdict.complaints.filter((line) => !line.includes('"level":"warn"'))).toEqual([]);
    expect(recoveries.filter(({ ms }) => ms > recoveryMsMax)).toEqual([]);
    expect(verdict.counts.ok).toBeGreaterThan(100);
    expect(verdict.counts.marked).toBeGreaterThan(0);
  },
);

async function makeTrouble(run: HubsRun) {
  await startClients(run);
  await run.trouble.deal(minutes * 60_000);
  await drain(run);
  const { outages } = run.trouble;
  const verdict = await run.judge(outages);
  const urls = run.hubs.map(({ url }) => url);
  const recoveries = recoveriesOf(verdict.histories, outages, urls);
  console.log(describeRecoveries(recoveries));
  console.log(describeSlowCalls(slowCallsOf(verdict.histories, outages, patienceMs), patienceMs));
  return { verdict, recoveries };
}
