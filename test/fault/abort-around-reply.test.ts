// Clients that give up, or die, at any moment around their answer. The hub cannot know whether they saw it, only judge
// from what their connection does.
import { expect, it } from 'vitest';
import { abortingReaders, abortLeaseMs, calmReader, dyingReader, runAbortLoad } from './abort-load.js';
import { withFaultRun } from './fault-run.js';
import type { Via } from './load-run.js';

/** How many calls each reader makes before it gives up no more of them. */
const calls = Number(process.env['CALLS'] ?? 200);
const messages = calls * 3;
const vias: Via[] = ['keep-alive', 'close', 'one-shot', 'fetch', 'mcp-v1', 'mcp-v2-2025', 'mcp-v2-2026'];

it(
  'a client that gives up or dies around its answer gets the messages again, marked, and none is lost',
  { timeout: 180_000 + calls * 100 },
  async () => {
    const readers = [...abortingReaders(vias, calls), dyingReader, calmReader];
    const verdict = await withFaultRun({ name: 'abort around the reply', manualLeaseMs: abortLeaseMs }, (run) =>
      runAbortLoad(run, { readers, messages }),
    );
    expect(verdict.violations).toEqual([]);
    expect(verdict.complaints).toEqual([]);
    // Enough of both, or the run has shown nothing.
    expect(verdict.counts.answers).toBeGreaterThan(800);
    expect(verdict.counts.unanswered).toBeGreaterThan(100);
    expect(verdict.counts.marked).toBeGreaterThan(20);
  },
);
