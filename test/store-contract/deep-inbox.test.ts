// A filtered read of a deep inbox: what it finds, in which order, and that it looks at few copies.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { InboxFilter, Store } from '../../dist/ports/store.js';
import { openStore, type OpenedStore } from './stores.js';

const sessionId = 'default';
let opened: OpenedStore;
let store: Store;

beforeAll(async () => {
  opened = await openStore();
  store = opened.store;
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'bea', 'eve', 'ben', 'dan', 'fay']) await store.registerAgent({ sessionId, id, ...nothing });
  await fill(1_200);
  await sendTo('ben', 'ann', { content: 'first of ann' });
  await sendTo('ben', 'bea', { content: 'high', priority: 'high' });
  await fill(1_200);
  await sendTo('ben', 'eve', { content: 'interrupt', action: 'interrupt' });
  await sendTo('ben', 'ann', { content: 'labelled', threadId: 'plans' });
  await sendTo('ben', 'ann', { content: 'question', messageType: 'QUERY', priority: 'low' });
});
afterAll(() => opened.close());

/** Of eve, in a label that nobody asks for. */
async function fill(count: number): Promise<void> {
  const input = { content: 'one of many', threadId: 'noise', messageType: 'STATUS' };
  await Promise.all(Array.from({ length: count }, () => sendTo('ben', 'eve', input)));
}

async function sendTo(target: string, agentId: string, input: object): Promise<{ id: string; seq: number }> {
  const capabilities = new Set(['send', 'read'] as const);
  const caller = { sessionId, agentId, capabilities, owner: agentId, connectAs: String, grant: null, address: '' };
  const answer = await store.appendMessage(
    planSend(caller, operations.sendMessage.input.parse({ target, ...input }), 1),
  );
  return 'appended' in answer ? answer.appended : expect.unreachable('it was refused');
}

const textOf = (content: unknown) => JSON.stringify(content).match(/"text":"([^"]*)"/)?.[1];
const interrupt = 'interrupt';

/** Files as often as it is asked to. */
async function peek(filter: Omit<InboxFilter, 'wakingOnly'>, options: { limit?: number; agentId?: string } = {}) {
  const { limit = 10, agentId = 'ben' } = options;
  const request = { sessionId, agentId, filter: { wakingOnly: false, ...filter }, limit, after: null, now: 2 };
  let found = await store.peekCopies(request);
  while (found.mustFile === true) {
    while ((await store.fileCopies({ sessionId, agentId })).hasMore);
    found = await store.peekCopies(request);
  }
  return { ...found, texts: found.copies.map(({ message }) => textOf(message.content)) };
}

async function lease(token: string, filter: Omit<InboxFilter, 'wakingOnly'>, limit = 10) {
  const times = { now: 2, monotonicNow: 0, leaseMs: 10_000, tokensMax: null };
  const request = { sessionId, agentId: 'ben', filter: { wakingOnly: false, ...filter }, limit, token, isManual: true };
  const { copies } = await store.leaseCopies({ ...request, ...times });
  const texts = copies.map(({ message }) => textOf(message.content));
  return { texts, held: { sessionId, agentId: 'ben', token, keys: copies.map(({ key }) => key) } };
}

it('a read of a deep inbox that is not filed finds what comes before the deep part', async () => {
  expect(await peek({ from: 'ann' })).toMatchObject({ texts: [interrupt], hasMore: true });
  expect(await peek({ from: 'bea' })).toMatchObject({ texts: [interrupt, 'high'], hasMore: true });
});

it('when nothing comes before, it asks for filing, and takes nothing', async () => {
  const { held } = await lease('front', { from: 'bea' });
  expect(held.keys).toHaveLength(2);
  const filter = { wakingOnly: false, from: 'ann' };
  const request = { sessionId, agentId: 'ben', filter, limit: 5, after: null, now: 2 };
  expect(await store.peekCopies(request)).toMatchObject({ copies: [], mustFile: true });
  const times = { now: 2, monotonicNow: 0, leaseMs: 10_000, tokensMax: null };
  const leased = await store.leaseCopies({ ...request, token: 'none', isManual: true, ...times });
  expect(leased).toMatchObject({ copies: [], mustFile: true });
  await store.releaseLease({ ...held, unsent: true });
});

it('what is filed is found before the rest is, in inbox order', async () => {
  const fay = { sessionId, agentId: 'fay' };
  const noise = { content: 'one of many', threadId: 'noise' };
  await sendTo('fay', 'ann', { content: 'early' });
  await Promise.all(Array.from({ length: 1_100 }, () => sendTo('fay', 'eve', noise)));
  await sendTo('fay', 'ann', { content: 'late, but high', priority: 'high' });
  await sendTo('fay', 'ann', { content: 'low', priority: 'low' });
  await sendTo('fay', 'ann', { content: 'late' });
  const filter = { wakingOnly: false, from: 'ann' };
  const request = { ...fay, filter, limit: 10, after: null, now: 2 };
  const textsNow = async () => {
    const { copies, ...found } = await store.peekCopies(request);
    return { texts: copies.map(({ message }) => textOf(message.content)), ...found };
  };
  expect(await textsNow()).toMatchObject({ texts: ['late, but high'], hasMore: true });
  expect(await store.fileCopies(fay)).toEqual({ count: 500, hasMore: true });
  expect(await textsNow()).toMatchObject({ texts: ['late, but high', 'early'], hasMore: true });
  expect(await store.fileCopies(fay)).toEqual({ count: 500, hasMore: true });
  expect(await textsNow()).toMatchObject({ texts: ['late, but high', 'early', 'late', 'low'], hasMore: false });
});

it('the filer is told of this inbox alone, also in a look at one agent after the other, and files it in short steps', async () => {
  const ben = { sessionId, agentId: 'ben' };
  expect(await store.inboxesToFile({ after: null, limit: 100 })).toEqual({ inboxes: [ben], last: null });
  const found = [];
  let last: Awaited<ReturnType<Store['inboxesToFile']>>['last'] = null;
  do {
    const look = await store.inboxesToFile({ after: last, limit: 1 });
    found.push(...look.inboxes);
    ({ last } = look);
  } while (last !== null);
  expect(found).toEqual([ben]);

  const filed = "select count(*) as count from pending where agent_id = ? and coalesce(sender, '') <> ''";
  let before = 0;
  let more = true;
  while (more) {
    ({ hasMore: more } = await store.fileCopies(ben));
    const [row] = await opened.sql(filed, 'ben');
    expect(Number(row?.['count']) - before).toBeLessThanOrEqual(500);
    before = Number(row?.['count']);
  }
  expect(before).toBe(2_405);
  expect(await store.inboxesToFile({ after: null, limit: 100 })).toEqual({ inboxes: [], last: null });
  const request = { ...ben, filter: { wakingOnly: false, from: 'ann' }, limit: 5, after: null, now: 2 };
  expect(await store.peekCopies(request)).not.toHaveProperty('mustFile');
});

it.each([
  [{ from: 'ann' }, [interrupt, 'first of ann', 'labelled', 'question']],
  [{ threadIds: ['plans'] }, [interrupt, 'labelled']],
  [{ threadIds: ['plans', 'none', 'plans'] }, [interrupt, 'labelled']],
  [{ type: 'QUERY' }, [interrupt, 'question']],
  [{ from: 'bea', priority: 'high' }, [interrupt, 'high']],
  [{ from: 'bea', priority: 'low' }, [interrupt]],
  [{ priority: 'low' }, [interrupt, 'question']],
  [{ from: 'ann', type: 'QUERY' }, [interrupt, 'question']],
  [{ from: 'ann', threadIds: ['noise'] }, [interrupt]],
  [{ target: 'nobody' }, [interrupt]],
] satisfies [Omit<InboxFilter, 'wakingOnly'>, string[]][])(
  '%j finds its copies in inbox order',
  async (filter, texts) => {
    expect(await peek(filter)).toMatchObject({ texts, hasMore: false });
  },
);

it('pages through a deep inbox by the position', async () => {
  const first = await peek({ from: 'ann' }, { limit: 2 });
  expect(first).toMatchObject({ texts: [interrupt, 'first of ann'], hasMore: true });
  const after = first.copies.at(-1)?.key ?? null;
  const filter = { wakingOnly: false, from: 'ann' };
  const { copies } = await store.peekCopies({ sessionId, agentId: 'ben', filter, limit: 5, after, now: 2 });
  expect(copies.map(({ message }) => textOf(message.content))).toEqual(['labelled', 'question']);
});

it('what came after the filing is found too', async () => {
  const { seq } = await sendTo('ben', 'bea', { content: 'late' });
  expect((await peek({ from: 'bea' })).texts).toEqual([interrupt, 'high', 'late']);
  const [row] = await opened.sql('select sender from pending where agent_id = ? and seq = ?', 'ben', seq);
  expect(row).toEqual({ sender: null });
});

it('a leased copy is passed over, one given back or opened again is found, one that was read is not', async () => {
  const one = await lease('one', { from: 'bea' });
  expect(one.texts).toEqual([interrupt, 'high', 'late']);
  expect((await peek({ from: 'bea' })).texts).toEqual([]);
  await store.releaseLease({ ...one.held, unsent: false });
  expect((await peek({ from: 'bea' })).texts).toEqual(one.texts);
  const two = await lease('two', { from: 'bea' });
  await store.confirmLease({ ...two.held, at: 3 });
  expect((await peek({ from: 'bea' })).texts).toEqual([]);
  await store.reopenCopies({ ...two.held, at: 4 });
  expect((await peek({ from: 'bea' })).texts).toEqual(one.texts);
});

it('a copy that a hub of an earlier release has put back is found, and filed with the next', async () => {
  const { held } = await lease('three', { threadIds: ['plans'] });
  await store.confirmLease({ ...held, at: 5 });
  await store.reopenCopies({ ...held, at: 6 });
  const asBefore = "update pending set sender = '', thread_id = null where agent_id = ? and thread_id = ?";
  await opened.sql(asBefore, 'ben', 'plans');
  expect((await peek({ threadIds: ['plans'] })).texts).toEqual([interrupt, 'labelled']);
  await store.fileCopies({ sessionId, agentId: 'ben' });
  const [row] = await opened.sql('select sender from pending where agent_id = ? and thread_id = ?', 'ben', 'plans');
  expect(row).toEqual({ sender: 'ann' });
});

it('the copies of a lease are found by its token, and by the seq up to which they are acknowledged', async () => {
  const { held } = await lease('four', { from: 'ann' });
  const [first] = held.keys;
  const reference = {
    sessionId,
    agentId: 'ben',
    token: 'four',
    count: 4,
    rank: first?.rank ?? 0,
    seq: first?.seq ?? 0,
  };
  expect((await store.findLease(reference)).lease.keys).toEqual(held.keys);
  const upTo = Math.max(...held.keys.map(({ seq }) => seq)) - 1;
  const { leases } = await store.findLeased({ sessionId, agentId: 'ben', ids: null, upTo });
  expect(leases.flatMap(({ keys }) => keys)).toEqual(held.keys.filter(({ seq }) => seq <= upTo));
  await store.confirmLease({ ...held, at: 7 });
  expect((await store.findLease(reference)).lease.keys).toEqual([]);
});

it('a short inbox is not filed', async () => {
  await sendTo('dan', 'ann', { content: 'hello' });
  expect((await peek({ from: 'ann' }, { agentId: 'dan' })).texts).toEqual(['hello']);
  expect(await opened.sql('select filed_seq as seq from agent where id = ?', 'dan')).toEqual([{ seq: null }]);
});
