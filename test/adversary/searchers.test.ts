// Searchers over long texts hold up nobody: sends are answered meanwhile, and the hub stays well on a small heap.
import { expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { healthDuring, healthMsMax, startSmallHub } from './attacked-hub.js';

const searchers = 20;
const sends = 20;

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Infinity;
}

it('20 searchers of long texts', async () => {
  const hub = await startSmallHub();
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
  // Accents: the slowest texts to split into words.
  const message = 'föö bär '.repeat(1_000);
  for (let n = 0; n < 10; n++) await call(hub.url, 'send_message', { target: 'ben', message }, { agent: 'ann' });

  const state = { isOver: false, codes: new Set<number>() };
  const searchMs: number[] = [];
  const sendMs: number[] = [];
  const search = async () => {
    while (!state.isOver) {
      const started = performance.now();
      const { status } = await post(hub.url, 'search_messages', { query: 'foo bar', limit: 50 }, { agent: 'ann' });
      state.codes.add(status);
      searchMs.push(performance.now() - started);
    }
  };
  const health = await healthDuring(hub.url, async () => {
    const searching = Array.from({ length: searchers }, search);
    for (let n = 0; n < sends; n++) {
      const started = performance.now();
      await call(hub.url, 'send_message', { target: 'ben', message: `short ${n}` }, { agent: 'ann' });
      sendMs.push(performance.now() - started);
    }
    state.isOver = true;
    await Promise.all(searching);
  });
  // A search waits for those of the others; so would a send, if it waited for searches.
  expect(median(sendMs)).toBeLessThan(median(searchMs) / 4);
  expect([...state.codes]).toEqual([200]);
  expect(health.failures).toBe(0);
  expect(health.slowestMs).toBeLessThan(healthMsMax);
});
