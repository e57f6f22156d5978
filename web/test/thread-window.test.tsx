// Whatever way messages come, the page holds what a fresh read would give.
import { array, assert, boolean, integer, property, record } from 'fast-check';
import { expect, it } from 'vitest';
import { addNewer, addOlder, emptyWindow, follow, type ThreadWindow } from '../src/data/threads/thread-window.js';
import type { Message } from '../src/data/types.js';

function message(seq: number): Message {
  return { id: `m${seq}`, seq, sender: 'ada', content: [], timestamp: '2026-01-01T00:00:00.000Z' };
}

const all = Array.from({ length: 60 }, (_, index) => message(index * 3 + 1));
const seqs = ({ messages }: ThreadWindow) => messages.map(({ seq }) => seq);

/** The newest page, as get_thread answers it. */
function freshRead(size: number): ThreadWindow {
  return { messages: all.slice(-size), hasOlder: size < all.length, hasNewer: false };
}

it('a stream that is cut, doubled and disordered gives the same as a fresh read', () => {
  const cuts = array(record({ until: integer({ min: 0, max: 60 }), isLost: boolean() }), { maxLength: 8 });
  assert(
    property(cuts, integer(), (runs, seed) => {
      let window: ThreadWindow = { messages: all.slice(0, 10), hasOlder: false, hasNewer: false };
      for (const { until, isLost } of [...runs, { until: 60, isLost: false }]) {
        const came = all.slice(0, until).toSorted((a, b) => ((a.seq * seed) % 7) - ((b.seq * seed) % 7));
        if (!isLost) window = follow(window, [...came, ...came.slice(0, 5)], 100);
        // Reads on from its last message, as after each connection; pages of 7.
        for (let isMore = true; isMore;) {
          const last = window.messages.at(-1)?.seq ?? 0;
          const after = all.slice(0, until).filter(({ seq }) => seq > last);
          isMore = after.length > 7;
          window = addNewer(window, { messages: after.slice(0, 7), hasMore: isMore }, 100);
        }
      }
      expect(seqs(window)).toEqual(seqs(freshRead(60)));
    }),
  );
});

it('holds at most its maximum, and says at which end there is more', () => {
  let window: ThreadWindow = freshRead(10);
  window = addOlder(window, { messages: all.slice(40, 50), hasMore: true }, 15);
  expect(seqs(window)).toEqual(seqs({ ...emptyWindow, messages: all.slice(40, 55) }));
  expect(window).toMatchObject({ hasOlder: true, hasNewer: true });
  expect(follow(window, [message(1_000)], 15)).toBe(window);
  window = addNewer(window, { messages: all.slice(55), hasMore: false }, 15);
  expect(seqs(window)).toEqual(seqs({ ...emptyWindow, messages: all.slice(45) }));
  expect(window).toMatchObject({ hasOlder: true, hasNewer: false });
});

it('leaves out what is older than the page it holds', () => {
  const window = freshRead(10);
  expect(follow(window, [all[0] ?? message(0)], 15)).toEqual(window);
});
