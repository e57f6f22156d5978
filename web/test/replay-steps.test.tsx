// What a replay shows at a position, and how long it waits.
import { expect, it } from 'vitest';
import {
  advance,
  nextAfter,
  previousAt,
  stepOf,
  timesAt,
  timesMax,
  visibleAt,
  waitBetween,
} from '../src/data/replay/replay-steps.js';
import type { Message } from '../src/data/types.js';

function message(seq: number, second = seq): Message {
  return { id: `m${seq}`, seq, sender: 'ada', content: [], timestamp: new Date(second * 1_000).toISOString() };
}

const said = [3, 7, 8, 20].map((seq) => message(seq));
const seqs = (messages: readonly Message[]) => messages.map(({ seq }) => seq);

it('shows what was said up to the position, also between two messages', () => {
  expect(seqs(visibleAt(said, 2, 100))).toEqual([]);
  expect(seqs(visibleAt(said, 3, 100))).toEqual([3]);
  expect(seqs(visibleAt(said, 19, 100))).toEqual([3, 7, 8]);
  expect(seqs(visibleAt(said, 99, 100))).toEqual([3, 7, 8, 20]);
  const many = Array.from({ length: 600 }, (_, index) => message(index));
  expect(seqs(visibleAt(many, 400, 100))).toEqual(seqs(many.slice(301, 401)));
});

it('goes by messages, and stays at the ends', () => {
  expect([nextAfter(said, 2)?.seq, nextAfter(said, 8)?.seq, nextAfter(said, 20)]).toEqual([3, 20, undefined]);
  expect([previousAt(said, 20)?.seq, previousAt(said, 15)?.seq, previousAt(said, 3)]).toEqual([8, 7, undefined]);
});

it('waits as the team did, divided by the speed, and cuts silences', () => {
  expect(waitBetween(message(1, 10), message(2, 12), 1)).toBe(2_000);
  expect(waitBetween(message(1, 10), message(2, 12), 4)).toBe(500);
  expect(waitBetween(message(1, 10), message(2, 10), 1)).toBe(60);
  expect(waitBetween(message(1, 10), message(2, 9_999), 64)).toBe(3_000);
  expect(waitBetween(undefined, message(2), 1)).toBe(60);
});

it('plays what is due at once, and keeps the rest of the time', () => {
  expect(advance(said, 3, 4_500, 1)).toEqual({ position: 8, leftMs: 500, isAtEnd: false });
  expect(advance(said, 3, 100, 1)).toEqual({ position: 3, leftMs: 100, isAtEnd: false });
  expect(advance(said, 8, 3_000, 1)).toEqual({ position: 20, leftMs: 0, isAtEnd: true });
  expect(advance([], 8, 3_000, 1)).toEqual({ position: 8, leftMs: 3_000, isAtEnd: true });
});

it('has any speed from 1 to 1000', () => {
  expect([timesAt(0), timesAt(50), timesAt(100)]).toEqual([1, 32, timesMax]);
  for (const step of [0, 13, 42, 77, 100]) expect(stepOf(timesAt(step))).toBe(step);
  expect(waitBetween(message(1, 10), message(2, 10), timesMax)).toBeLessThan(4);
});
