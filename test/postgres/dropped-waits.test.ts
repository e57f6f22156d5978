// Readers that drop a call as its answer is made, and call again at once, at another hub.
import { expect, it } from 'vitest';
import { runDroppedWaits } from '../fault/abort-load.js';
import { withHubsRun } from '../fault/hubs-run.js';

it('a reader that drops its calls gets what is unmarked in order, from three hubs', { timeout: 400_000 }, async () => {
  const verdict = await withHubsRun({ name: 'dropped calls at three hubs', hubs: 3 }, (run) =>
    runDroppedWaits(run, true),
  );
  expect(verdict.violations).toEqual([]);
  expect(verdict.complaints).toEqual([]);
  // Enough to have tried it.
  expect(verdict.counts.unanswered).toBeGreaterThan(10);
});
