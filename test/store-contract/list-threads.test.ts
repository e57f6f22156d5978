// Which threads are listed for whom, newest first, and that the private threads of others are not looked at.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../dist/ports/store.js';
import { openStore, type OpenedStore } from './stores.js';

const sessionId = 'default';
let opened: OpenedStore;
let store: Store;

beforeAll(async () => {
  opened = await openStore();
  store = opened.store;
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben', 'dan']) await store.registerAgent({ sessionId, id, ...nothing });
  await open('public-1', 10, { isPrivate: false, participants: ['ben'] });
  await open('private-1', 20, { isPrivate: true, participants: [] });
  await open('private-2', 30, { isPrivate: true, participants: ['ben'] });
  await open('public-2', 40, { isPrivate: false, participants: [] });
});
afterAll(() => opened.close());

function open(
  threadId: string,
  at: number,
  { isPrivate, participants }: { isPrivate: boolean; participants: string[] },
) {
  const nothing = { critical: null, opening: null, key: null, isAdmin: false };
  return store.createThread({
    sessionId,
    threadId,
    title: threadId,
    creator: 'ann',
    participants,
    isPrivate,
    at,
    ...nothing,
  });
}

type Query = Parameters<Store['listThreads']>[0];

async function list(query: Partial<Query>) {
  const all: Query = {
    sessionId,
    reader: null,
    status: null,
    participant: null,
    seesPrivate: false,
    limit: 10,
    after: null,
  };
  const { threads, after } = await store.listThreads({ ...all, ...query });
  return { ids: threads.map(({ id }) => id), after };
}

it.each([
  [{ reader: 'dan' }, ['public-2', 'public-1']],
  [{ reader: 'ben' }, ['public-2', 'private-2', 'public-1']],
  [{ reader: 'ann' }, ['public-2', 'private-2', 'private-1', 'public-1']],
  [{}, ['public-2', 'public-1']],
  [{ seesPrivate: true }, ['public-2', 'private-2', 'private-1', 'public-1']],
  [{ reader: 'dan', participant: 'ben' }, ['public-1']],
  [{ reader: 'ben', participant: 'ann' }, ['public-2', 'private-2', 'public-1']],
  [{ reader: 'ben', participant: 'ben' }, ['private-2', 'public-1']],
  [{ seesPrivate: true, participant: 'ben' }, ['private-2', 'public-1']],
  [{ reader: 'ann', status: 'closed' as const }, []],
])('%j', async (query, ids) => {
  expect(await list(query)).toEqual({ ids, after: null });
});

it('page by page', async () => {
  const first = await list({ reader: 'ben', limit: 2 });
  expect(first.ids).toEqual(['public-2', 'private-2']);
  expect(await list({ reader: 'ben', limit: 2, after: first.after })).toEqual({ ids: ['public-1'], after: null });
});
