// Thousands of barriers that are not met must not make registrations slow: a change costs one read for all of them.
import { expect, it } from 'vitest';
import { AgentBarriers } from '../../dist/agent/barriers.js';

it('a change of agents is read once for all barriers, and wakes only those that are met', async () => {
  let hint = () => {};
  let reads = 0;
  const here = new Set<string>();
  const barriers = new AgentBarriers({
    onAgents: (_, callback) => {
      hint = callback;
      return () => (hint = () => {});
    },
    readHere: async () => {
      reads += 1;
      return here;
    },
  });
  const woken: number[] = [];
  const stops = Array.from({ length: 10_000 }, (_, index) =>
    barriers.onMet(
      's',
      (ids) => ids.has(`a${index}`),
      () => woken.push(index),
    ),
  );
  here.add('a7');
  hint();
  await new Promise((resolve) => setImmediate(resolve));
  expect([reads, woken]).toEqual([1, [7]]);
  for (const stop of stops) stop();
  hint();
  expect(reads).toBe(1);
});
