// Long reads have a thread of their own: sends do not wait for them, they are bounded, and the thread may die.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { HubError } from '../../dist/contract/errors.js';
import { limits, setLimits } from '../../dist/contract/limits.js';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { SearchQuery } from '../../dist/ports/history.js';
import type { Store } from '../../dist/ports/store.js';
import { ReadQueue } from '../../dist/store/sqlite/reader/read-queue.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { cleanUpAfter } from '../support/clean-up.js';
import { openCaller } from '../support/open-caller.js';
import { tempFolder } from '../support/temp-folder.js';

const sessionId = 'default';
const given = { ...limits };
const reads: { ms: number; queued: number }[] = [];
let store: Store;

async function open(folder: string): Promise<Store> {
  return openSqliteStore({
    folder,
    storeMaxBytes: null,
    monotonicNow: 0,
    manualLeaseMs: 60_000,
    onBatch() {},
    onRead: (ms, queued) => reads.push({ ms, queued }),
    onNotices() {},
    onBug: console.error,
    onBroken: console.error,
  });
}

const send = (to: Store, content: string) =>
  to.appendMessage(
    planSend(openCaller(sessionId, 'ann'), operations.sendMessage.input.parse({ content, target: 'ben' }), 1),
  );

const query: SearchQuery = {
  sessionId,
  reader: { kind: 'all' },
  terms: [{ words: ['foo'], isPrefix: false }],
  threadId: null,
  sender: null,
  type: null,
  since: null,
  until: null,
  position: null,
  limit: 50,
};

const listThreads = () =>
  store.listThreads({
    sessionId,
    reader: null,
    seesPrivate: true,
    status: null,
    participant: null,
    limit: 5,
    after: null,
  });

/** The code that each is refused with, or `ok`. */
async function outcomes(calls: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => {
    if (one.status === 'fulfilled') return 'ok';
    return one.reason instanceof HubError ? one.reason.code : String(one.reason);
  });
}

async function fill(to: Store): Promise<void> {
  const about = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben']) await to.registerAgent({ sessionId, id, ...about });
  // Accents: the slowest texts to split into words.
  const long = 'föö bär '.repeat(20_000);
  for (let count = 0; count < 8; count++) await send(to, long);
}

beforeAll(async () => {
  store = await open(tempFolder());
  await fill(store);
});
afterEach(() => setLimits(given));
afterAll(() => store.close());

it('sends are answered while searches of long texts run', async () => {
  const state = { searching: 8 };
  const searches = Array.from({ length: state.searching }, async () => {
    await store.searchMessages(query);
    state.searching -= 1;
  });
  // At once: each commit waits for the disk, which says nothing about the searches.
  await Promise.all(Array.from({ length: 10 }, () => send(store, 'short')));
  expect(state.searching).toBeGreaterThan(0);
  await Promise.all(searches);
  expect(reads.at(-1)?.queued).toBe(0);
});

it('a short read does not wait for all searches', async () => {
  const state = { searching: 6 };
  const searches = Array.from({ length: state.searching }, async () => {
    await store.searchMessages(query);
    state.searching -= 1;
  });
  await listThreads();
  expect(state.searching).toBeGreaterThan(2);
  await Promise.all(searches);
});

it('what was called before a read is seen by it, also when nobody waited for the answer', async () => {
  const inbox = { sessionId, agentId: 'ben' };
  await send(store, 'one to confirm');
  const lease = { token: 'lease', isManual: false, now: 1, monotonicNow: 1, leaseMs: 60_000, tokensMax: null };
  const { copies } = await store.leaseCopies({ ...inbox, ...lease, filter: { wakingOnly: false }, limit: 500 });
  // It may wait to share a commit.
  const confirmed = store.confirmLease({ ...inbox, token: 'lease', keys: copies.map(({ key }) => key), at: 2 });
  const page = { threadId: null, recipient: null, type: null, status: null, since: null, until: null, before: null };
  const { entries } = await store.queryHistory({
    ...page,
    sessionId,
    sender: 'ann',
    limit: 1,
    withDeliveries: true,
    now: 3,
  });
  expect(entries[0]?.deliveries).toMatchObject([{ recipient: 'ben', state: 'read' }]);
  await confirmed;
});

it('a search too many is refused with BUSY, and taken again later', async () => {
  setLimits({ searchesQueued: 2 });
  const calls = [1, 2, 3].map(() => store.searchMessages(query));
  expect(await outcomes(calls)).toEqual(['ok', 'ok', 'BUSY']);
  expect(await outcomes([store.searchMessages(query)])).toEqual(['ok']);
});

it('searches of one caller are refused beyond its number, those of others are taken and have their turn', async () => {
  setLimits({ searchesPerCaller: 5 });
  const state = { searching: 5 };
  const own = Array.from({ length: state.searching }, async () => {
    await store.searchMessages(query);
    state.searching -= 1;
  });
  expect(await outcomes([store.searchMessages(query)])).toEqual(['BUSY']);
  await store.searchMessages({ ...query, reader: { kind: 'agent', agentId: 'ann' } });
  expect(state.searching).toBeGreaterThan(1);
  await Promise.all(own);
});

it('a read too many is refused with BUSY, and taken again later', async () => {
  setLimits({ readsQueued: 2 });
  expect(await outcomes([1, 2, 3].map(listThreads))).toEqual(['ok', 'ok', 'BUSY']);
  expect(await outcomes([listThreads()])).toEqual(['ok']);
});

it('a page of a search ends early with more to come, also from a forged position', async () => {
  const first = await store.searchMessages(query);
  expect(first.hits.length).toBeLessThan(8);
  expect(first.next).not.toBeNull();
  const top = first.window.top;
  const forged = await store.searchMessages({ ...query, position: { top, shown: { floor: 1, score: 1e9, seq: 1e9 } } });
  expect(forged.window.floor).toBeGreaterThan(1);
});

it('a read that takes too long is ended with QUERY_TOO_BROAD, and sends go on', async () => {
  setLimits({ readMs: 0 });
  const other = await open(tempFolder());
  cleanUpAfter(() => other.close());
  await fill(other);
  const broad = other.searchMessages(query);
  await expect(broad).rejects.toMatchObject({ code: 'QUERY_TOO_BROAD', details: { limit: 0 } });
  await send(other, 'still here');
  expect(await other.countUnread({ sessionId, agentId: 'ben' })).toBe(9);
});

it('all agents of a large session are listed once, in order', async () => {
  const about = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  const ids = Array.from({ length: 1_100 }, (_, n) => `agent${String(n).padStart(4, '0')}`);
  await Promise.all(ids.map((id) => store.registerAgent({ sessionId: 'large', id, ...about })));
  const listed = await store.listAgents({ sessionId: 'large', group: null, now: 1 });
  expect(listed.map(({ id }) => id)).toEqual(ids);
});

it('a thread that dies fails its reads, and the next read starts another', async () => {
  const folder = tempFolder();
  const bugs: string[] = [];
  const onBug = (command: string) => bugs.push(command);
  // It finds no database.
  const queue = new ReadQueue({ folder, written: () => undefined, onRead() {}, onBug });
  const calls = [1, 2].map(() => queue.submit('tallies', undefined));
  expect(await outcomes(calls)).toEqual(['STORE_UNAVAILABLE', 'STORE_UNAVAILABLE']);
  expect(bugs).toEqual(['reader']);
  openStoreDatabase({ folder, storeMaxBytes: null }).close();
  expect(await queue.submit('tallies', undefined)).toMatchObject({ messages: 0 });
  await queue.close();
});
