// Readers that drop a call as its answer is made, and call again at once. What was taken for the dropped call and never sent
// comes again: without a mark only in its place. test/postgres/dropped-waits.test.ts has the same on three hubs.
import { expect, it } from 'vitest';
import { abortLeaseMs, runDroppedWaits } from './abort-load.js';
import { withFaultRun } from './fault-run.js';

it('a reader that drops its calls gets what is unmarked in order', { timeout: 300_000 }, async () => {
  const options = { name: 'dropped calls', manualLeaseMs: abortLeaseMs };
  const verdict = await withFaultRun(options, (run) => runDroppedWaits(run));
  expect(verdict.violations).toEqual([]);
  expect(verdict.complaints).toEqual([]);
  // Enough to have tried it.
  expect(verdict.counts.unanswered).toBeGreaterThan(10);
  expect(verdict.counts.marked).toBeGreaterThan(0);
});
