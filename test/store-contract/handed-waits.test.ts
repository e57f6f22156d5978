// A copy is leased for a parked wait in the transaction that stores it: once, in order, and never for a wait that has ended.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { HandedCopy, HandedOver, LeaseRequest, WaitTurn } from '../../dist/ports/store.js';
import { eventually } from '../support/eventually.js';
import { openCaller } from '../support/open-caller.js';
import { openStore, type OpenedStore } from './stores.js';

const handed: HandedOver[] = [];
let opened: OpenedStore;
let sessionId = '';
let sessions = 0;

beforeAll(async () => {
  opened = await openStore({ onHanded: (each) => handed.push(...each) });
});
afterAll(() => opened.close());

beforeEach(async () => {
  handed.length = 0;
  sessionId = `session${(sessions += 1)}`;
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben', 'eve']) await opened.store.registerAgent({ sessionId, id, ...nothing });
});

function send(content: string, draft: Record<string, unknown> = {}, sender = 'ann') {
  const input = operations.sendMessage.input.parse({ content, target: 'ben', ...draft });
  return opened.store.appendMessage(planSend(openCaller(sessionId, sender), input, 1_000));
}

function asked(token: string, wait: WaitTurn, fields: Partial<LeaseRequest> = {}): LeaseRequest {
  const lease = { token, wait, isManual: false, now: 1_000, monotonicNow: 0, leaseMs: 10_000, tokensMax: null };
  return { sessionId, agentId: 'ben', filter: { wakingOnly: true }, limit: 10, ...lease, ...fields };
}

const read = (token: string, wait: WaitTurn, fields: Partial<LeaseRequest> = {}) =>
  opened.store.leaseCopies(asked(token, wait, fields));
const endWait = (token: string) => opened.store.endWait({ sessionId, agentId: 'ben', token });
const unread = () => opened.store.countUnread({ sessionId, agentId: 'ben' });

async function free() {
  const at = { after: null, now: 1_000 };
  const { copies } = await opened.store.peekCopies({
    ...at,
    sessionId,
    agentId: 'ben',
    filter: { wakingOnly: false },
    limit: 99,
  });
  return copies.map(({ message, redelivered }) => [textOf(message.content), redelivered]);
}

function textOf(content: readonly { type: string }[]): string {
  return content.map((block) => ('text' in block ? block.text : '')).join('');
}

/** Each wait that copies were handed to, and their texts. */
const handedTo = () =>
  handed.map(({ token, taken }) => [token, ...taken.copies.map(({ message }) => textOf(message.content))]);

describe('a message for a parked wait', () => {
  it('is leased for it when it is stored, as a read would', async () => {
    expect(await read('w1', 'first')).toMatchObject({ copies: [], unread: 0 });
    await send('hello');
    expect(handed).toMatchObject([{ sessionId, agentId: 'ben', token: 'w1', taken: { hasMore: false, unread: 0 } }]);
    const [copy] = handed[0]?.taken.copies ?? [];
    expect(copy).toMatchObject({ why: 'direct', redelivered: false, attempt: 1, message: { sender: 'ann' } });
    expect(await unread()).toBe(0);
    expect(await free()).toEqual([]);
    const lease = { sessionId, agentId: 'ben', token: 'w1', keys: copy === undefined ? [] : [copy.key] };
    expect(await opened.store.confirmLease({ ...lease, at: 1_001 })).toEqual([1]);
  });

  it('is handed as a read would show it, field by field', async () => {
    const draft = {
      content: 'look "here" <b> \u{1f600} \ud800',
      priority: 'high',
      messageType: 'QUERY',
      context: 'why',
      payload: { a: [1, null] },
      metadata: { b: 'c' },
    };
    await read('w1', 'first');
    await send(draft.content, draft);
    const taken = handed[0]?.taken;
    const keys = taken?.copies.map(({ key }) => key) ?? [];
    expect(keys).toHaveLength(1);
    await opened.store.releaseLease({ sessionId, agentId: 'ben', token: 'w1', keys, unsent: true });
    const again = await read('w2', 'first');
    const shown = (copies: readonly HandedCopy[] = []) =>
      copies.map(({ key, message, why }) => ({ key, message, why }));
    expect(shown(again.copies)).toEqual(shown(taken?.copies));
    expect(again).toMatchObject({ hasMore: taken?.hasMore, threads: taken?.threads, unread: taken?.unread });
  });

  it('is handed to one wait, the first to come, and the next message to the next wait', async () => {
    await read('w1', 'first');
    await read('w2', 'first');
    await send('one');
    await send('two');
    await send('three');
    expect(handedTo()).toEqual([
      ['w1', 'one'],
      ['w2', 'two'],
    ]);
    expect(await free()).toEqual([['three', false]]);
  });

  it('is not found again by the wait itself, whose timer is void', async () => {
    await read('w1', 'first');
    await send('one');
    await send('two');
    expect((await read('w1', 'last')).copies).toEqual([]);
    expect(handedTo()).toEqual([['w1', 'one']]);
    expect(await free()).toEqual([['two', false]]);
  });

  it('waits for its reader when the wait has ended', async () => {
    await read('w1', 'first');
    expect((await read('w1', 'last')).copies).toEqual([]);
    await read('w2', 'first');
    expect(await endWait('w2')).toBe(false);
    await send('one');
    expect(handed).toEqual([]);
    expect(await free()).toEqual([['one', false]]);
  });

  it('is handed as long as the wait reads again in between', async () => {
    await read('w1', 'first');
    await read('w1', 'again');
    await send('one');
    expect(handedTo()).toEqual([['w1', 'one']]);
  });

  it('comes with what was returned before it', async () => {
    await send('one');
    const { copies } = await read('w0', 'first');
    await read('w1', 'first');
    const lease = { sessionId, agentId: 'ben', token: 'w0', keys: copies.map(({ key }) => key) };
    await opened.store.releaseLease({ ...lease, unsent: true });
    await send('two');
    expect(handedTo()).toEqual([['w1', 'one', 'two']]);
  });

  it('goes to a second wait if the first took an older one instead', async () => {
    await send('one');
    const { copies } = await read('w0', 'first');
    await read('w1', 'first', { limit: 1 });
    await read('w2', 'first');
    const lease = { sessionId, agentId: 'ben', token: 'w0', keys: copies.map(({ key }) => key) };
    await opened.store.releaseLease({ ...lease, unsent: true });
    await send('two');
    expect(handedTo()).toEqual([
      ['w1', 'one'],
      ['w2', 'two'],
    ]);
  });

  it('is leased as the wait asked: until it is acknowledged', async () => {
    await read('w1', 'first', { isManual: true });
    await send('one');
    const rows = await opened.sql(
      'select lease_token, is_manual, attempts from pending where session_id = ?',
      sessionId,
    );
    expect(rows).toEqual([{ lease_token: 'w1', is_manual: 1, attempts: 1 }]);
  });

  it('is handed once when its send is retried with the same key', async () => {
    await read('w1', 'first');
    await read('w2', 'first');
    await send('one', { idempotencyKey: 'k' });
    await send('one', { idempotencyKey: 'k' });
    expect(handedTo()).toEqual([['w1', 'one']]);
  });

  it('counts for a sender that waits itself', async () => {
    await read('w1', 'first');
    await send('to myself', {}, 'ben');
    expect(handedTo()).toEqual([['w1', 'to myself']]);
    expect(await unread()).toBe(0);
  });
});

describe('a wait with a filter', () => {
  it('is passed over for what it does not take', async () => {
    await read('w1', 'first', { filter: { wakingOnly: true, from: 'eve' } });
    await read('w2', 'first', { filter: { wakingOnly: true, threadIds: ['elsewhere'] } });
    await read('w3', 'first');
    await send('from ann');
    await send('from eve', {}, 'eve');
    expect(handedTo()).toEqual([
      ['w3', 'from ann'],
      ['w1', 'from eve'],
    ]);
  });

  it('takes an interrupt', async () => {
    await read('w1', 'first', { filter: { wakingOnly: true, from: 'eve' } });
    await send('now', { action: 'interrupt' });
    expect(handedTo()).toEqual([['w1', 'now']]);
  });

  it('for mentions sleeps on while others post to its thread', async () => {
    await openThread('room');
    await read('w0', 'first', { filter: { wakingOnly: false } });
    const mentions = { wakingOnly: true };
    await read('w1', 'first', { filter: mentions });
    await send('hello all', { target: undefined, threadId: 'room' });
    expect(handed).toEqual([]);
    await read('w2', 'first', { filter: { wakingOnly: false }, limit: 1 });
    await send('@ben look', { target: undefined, threadId: 'room', mentions: ['ben'] });
    expect(handedTo()).toEqual([['w1', '@ben look']]);
    expect(handed[0]?.taken.threads).toMatchObject([{ threadId: 'room' }]);
  });
});

describe('a wait for a model', () => {
  it('is handed no more than its answer shows', async () => {
    await read('w1', 'first', { tokensMax: 4_000 });
    const long = 'word '.repeat(2_000);
    await Promise.all([send(`first ${long}`), send(`second ${long}`)]);
    expect(handed.map(({ taken }) => taken.copies.length)).toEqual([1]);
    expect((await free()).map(([text]) => String(text).slice(0, 6))).toEqual(['second']);
  });
});

describe('calls that commit together', () => {
  it('hand a burst to the first wait', async () => {
    await read('w1', 'first');
    await read('w2', 'first');
    await Promise.all([send('one'), send('two'), send('three')]);
    const texts = handedTo().flatMap(([, ...each]) => each);
    expect([...texts, ...(await free()).map(([text]) => String(text))].toSorted()).toEqual(['one', 'three', 'two']);
    expect(handed[0]?.token).toBe('w1');
  });

  it('hand a burst in inbox order, as many as the wait takes', async () => {
    await read('w1', 'first', { limit: 2 });
    await Promise.all([
      send('one'),
      send('two'),
      send('high', { priority: 'high' }),
      send('now', { action: 'interrupt' }),
    ]);
    // The calls may commit apart; what is handed together is in order.
    const [first] = handedTo();
    expect([
      ['w1', 'now', 'high'],
      ['w1', 'one'],
    ]).toContainEqual(first);
    expect(handed).toHaveLength(1);
  });

  it('never hand what another read of the reader has taken among them', async () => {
    await read('w1', 'first');
    const [, taken] = await Promise.all([send('one'), read('w2', 'first'), send('two')]);
    const texts = [
      ...handedTo().flatMap(([, ...given]) => given),
      ...taken.copies.map((copy) => textOf(copy.message.content)),
    ];
    expect(texts.toSorted()).toEqual(['one', 'two']);
    expect(await free()).toEqual([]);
  });

  it('never hand to a wait that ends among them', async () => {
    await read('w1', 'first');
    const [, isReturned] = await Promise.all([send('one'), endWait('w1'), send('two')]);
    await eventually('both are free again', async () => (await free()).length === 2);
    expect(await free()).toEqual([
      ['one', false],
      ['two', false],
    ]);
    expect(isReturned).toBe(handed.length > 0);
  });

  it('hand to the wait, or let its last read take it, or leave it free', async () => {
    await read('w1', 'first');
    const [, last] = await Promise.all([send('one'), read('w1', 'last')]);
    const byRead = last.copies.map(({ message }) => textOf(message.content));
    const left = (await free()).map(([text]) => String(text));
    expect([...handedTo().flatMap(([, ...each]) => each), ...byRead, ...left]).toEqual(['one']);
  });

  it('hand over what is stored although another of them fails half done', async () => {
    await read('w1', 'first');
    // The read keeps its wait, is rolled back with the batch and run again.
    const outcomes = await Promise.allSettled([read('w2', 'first'), openThread('half', 'ma9zzz'), send('one')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(handedTo()).toEqual([['w1', 'one']]);
    await send('two');
    expect(handedTo()).toEqual([
      ['w1', 'one'],
      ['w2', 'two'],
    ]);
  });
});

function openThread(threadId: string, replyTo?: string) {
  const input = { content: 'hello', ...(replyTo === undefined ? {} : { replyTo }) };
  const opening = planSend(openCaller(sessionId, 'ann'), operations.sendMessage.input.parse(input), 1);
  const kind = { isAdmin: true, isPrivate: false, critical: null, key: null };
  const people = { creator: 'ann', participants: ['ben'] };
  return opened.store.createThread({ sessionId, threadId, title: threadId, ...people, opening, at: 1, ...kind });
}

it('the last read of a wait that filters a deep inbox finds its message, once copies were filed', async () => {
  const fields = { filter: { wakingOnly: true, from: 'ann' } };
  await read('w1', 'first', fields);
  await Promise.all(Array.from({ length: 1_100 }, () => send('noise', {}, 'eve')));
  await send('from ann');
  let taken = await read('w1', 'last', fields);
  expect(taken.mustFile).toBe(true);
  while (taken.mustFile === true) {
    await opened.store.fileCopies({ sessionId, agentId: 'ben' });
    taken = await read('w1', 'last', fields);
  }
  expect(taken.copies.map(({ message }) => textOf(message.content))).toEqual(['from ann']);
  // It was the last: the wait is not kept any more.
  await send('later');
  expect(handed).toEqual([]);
});
