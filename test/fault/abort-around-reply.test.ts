// Clients that give up, or die, at any moment around their answer. The hub cannot know whether they saw it, only judge
// from what their connection does.
import { expect, it } from 'vitest';
import { abortingReaders, abortLeaseMs, byAbort, calmReader, dyingReader, runAbortLoad } from './abort-load.js';
import { withFaultRun } from './fault-run.js';
import type { Via } from './load-run.js';

/** How many calls each reader makes before it gives up no more of them. */
const calls = Number(process.env['CALLS'] ?? 200);
const messages = calls * 3;
const vias: Via[] = ['keep-alive', 'close', 'one-shot', 'fetch', 'mcp-v1', 'mcp-v2-2025', 'mcp-v2-2026'];

it(
  'a client that gives up or dies around its answer gets the messages again, marked, and none is lost',
  { timeout: 400_000 + calls * 100 },
  async () => {
    const giveUp = [...abortingReaders(vias, calls), ...byAbort(abortingReaders(['mcp-v2-2026'], calls))];
    const readers = [...giveUp, dyingReader, calmReader];
    const verdict = await withFaultRun({ name: 'abort around the reply', manualLeaseMs: abortLeaseMs }, (run) =>
      runAbortLoad(run, { readers, messages }),
    );
    expect(verdict.violations).toEqual([]);
    expect(verdict.complaints).toEqual([]);
    // Time-outs and closed connections: none of them is taken for an answer that was used.
    expect(verdict.counts.crossed).toBe(0);
    // Enough of both, or the run has shown nothing.
    expect(verdict.counts.answers).toBeGreaterThan(800);
    expect(verdict.counts.unanswered).toBeGreaterThan(100);
    expect(verdict.counts.marked).toBeGreaterThan(20);
  },
);

/** As many as a reader finds when it looks again, less the two notices of its threads. */
const shownAgain = 98;

it(
  'an abort that crosses the answer costs a look at recent messages, and nothing else',
  { timeout: 400_000 },
  async () => {
    const vias2025: Via[] = ['mcp-v1', 'mcp-v2-2025'];
    const readers = byAbort(abortingReaders(vias2025, shownAgain)).flatMap((reader) =>
      ['a', 'b', 'c'].map((one) => ({
        ...reader,
        name: `${reader.name}-${one}`,
        agent: `${reader.agent}-${one}`,
        limitMax: 1,
      })),
    );
    const verdict = await withFaultRun({ name: 'abort across the answer', manualLeaseMs: abortLeaseMs }, (run) =>
      runAbortLoad(run, { readers, messages: shownAgain - 20, trickle: 20 }),
    );
    expect(verdict.violations).toEqual([]);
    expect(verdict.complaints).toEqual([]);
    // Enough of it, or the run has shown nothing.
    expect(verdict.counts.unanswered).toBeGreaterThan(50);
    expect(verdict.counts.crossed).toBeGreaterThan(0);
  },
);
