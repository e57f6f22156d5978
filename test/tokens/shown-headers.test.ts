// How long a thread's header counts as shown, with a clock that is moved by hand.
import { expect, it } from 'vitest';
import { ShownHeaders } from '../../dist/message/inbox/shown-headers.js';

const header = { threadId: 't1', title: 'Plan', status: 'open' as const, participants: [], moreParticipants: 0 };
const reader = { sessionId: 's', agentId: 'ben', model: { tokensMax: 8_000, conversation: 'one' } };
const outcome = { arrived() {}, lost() {}, unsent() {}, cancelled() {} };

function shownAt(): { headers: ShownHeaders; passMs: (ms: number) => void } {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now, after: () => () => {} };
  return { headers: new ShownHeaders(clock), passMs: (ms) => (now += ms) };
}

it('a header is due again after ten minutes: a model may have dropped it by then', () => {
  const { headers, passMs } = shownAt();
  headers.follow(reader, [header], outcome).arrived();
  passMs(9 * 60_000);
  expect(headers.newTo(reader, [header], [])).toEqual([]);
  passMs(2 * 60_000);
  expect(headers.newTo(reader, [header], [])).toEqual([header]);
});

it.each(['lost', 'unsent', 'cancelled'] as const)('a header whose answer was %s is still due', (how) => {
  const { headers } = shownAt();
  headers.follow(reader, [header], outcome)[how]();
  expect(headers.newTo(reader, [header], [])).toEqual([header]);
});

it('a header whose call was cancelled after its answer had arrived is due again', () => {
  const { headers } = shownAt();
  const followed = headers.follow(reader, [header], outcome);
  followed.arrived();
  followed.cancelled();
  expect(headers.newTo(reader, [header], [])).toEqual([header]);
});

it('no more is remembered than a bound, and the oldest goes first', () => {
  const { headers } = shownAt();
  const many = Array.from({ length: 20_001 }, (_, index) => ({ ...header, threadId: `t${index}` }));
  headers.follow(reader, many, outcome).arrived();
  expect(headers.newTo(reader, many, []).map(({ threadId }) => threadId)).toEqual(['t0']);
});
