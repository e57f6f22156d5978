// A checker that finds nothing passes too. Hubs with a known fault must not get past it.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { abortingReaders, abortLeaseMs, runAbortLoad, runDroppedWaits } from './abort-load.js';
import { checkRun, describeVerdict } from './checker.js';
import { chooseSeed, withFaultRun } from './fault-run.js';
import { runPlainSequence } from './plain-sequence.js';

const hubScript = fileURLToPath(new URL('./canary-hub.mjs', import.meta.url));
const outOfOrderHub = fileURLToPath(new URL('./out-of-order-hub.mjs', import.meta.url));

it('a hub that takes written answers for read ones is caught losing messages', { timeout: 300_000 }, async () => {
  const readers = abortingReaders(['keep-alive', 'fetch', 'mcp-v2-2026'], 150);
  const options = { name: 'read at hand-out', manualLeaseMs: abortLeaseMs, hubScript };
  const { counts } = await withFaultRun(options, (run) => runAbortLoad(run, { readers, messages: 300 }));
  expect(counts.readNeverSeen).toBeGreaterThan(0);
  expect(counts.lost).toBeGreaterThan(0);
  // Nothing else is wrong with it.
  const { seqGap, feedMismatch, unmarkedDouble, sumRule } = counts;
  expect({ seqGap, feedMismatch, unmarkedDouble, sumRule }).toEqual({
    seqGap: 0,
    feedMismatch: 0,
    unmarkedDouble: 0,
    sumRule: 0,
  });
});

it('a hub that returns late, and unmarked, what it never sent is caught', { timeout: 300_000 }, async () => {
  const options = { name: 'unmarked out of order', manualLeaseMs: abortLeaseMs, hubScript: outOfOrderHub };
  const { counts } = await withFaultRun(options, (run) => runDroppedWaits(run));
  expect(counts.orderViolation).toBeGreaterThan(0);
  expect({ lost: counts.lost, unmarkedDouble: counts.unmarkedDouble }).toEqual({ lost: 0, unmarkedDouble: 0 });
});

it('a hub that numbers messages before it commits them is caught skipping them', () => {
  const seed = chooseSeed();
  const verdict = checkRun({ ...runPlainSequence({ seed, isNumberedAtCommit: false }), seed });
  expect(verdict.counts.feedMismatch, describeVerdict(verdict)).toBeGreaterThan(0);
  expect(verdict.counts.seqGap).toBe(0);
});

it('the same hub passes when it numbers messages as they commit', () => {
  const seed = chooseSeed();
  const verdict = checkRun({ ...runPlainSequence({ seed, isNumberedAtCommit: true }), seed });
  expect(verdict.violations).toEqual([]);
});
