// Removing an agent with a deep inbox: its copies end in steps, every copy is counted at every moment, and nobody gets its mail.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store } from '../../dist/ports/store.js';
import { openStore, type OpenedStore } from './stores.js';

const sessionId = 'default';
const copies = 1_200;
const ben = { sessionId, agentId: 'ben' };
let opened: OpenedStore;
let store: Store;

const register = (id: string) => {
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  return store.registerAgent({ sessionId, id, ...nothing });
};

beforeAll(async () => {
  opened = await openStore();
  store = opened.store;
  for (const id of ['ann', 'ben', 'dan']) await register(id);
  await Promise.all(Array.from({ length: copies }, () => send('ben')));
  await send('dan');
});
afterAll(() => opened.close());

async function send(target: string) {
  const capabilities = new Set(['send', 'read'] as const);
  const caller = { sessionId, agentId: 'ann', capabilities, owner: 'ann', connectAs: String, grant: null, address: '' };
  return store.appendMessage(planSend(caller, operations.sendMessage.input.parse({ target, content: 'hello' }), 1));
}

async function countOf(table: string, column = 'agent_id'): Promise<number> {
  const [row] = await opened.sql(`select count(*) as count from ${table} where ${column} = ?`, 'ben');
  return Number(row?.['count']);
}

it('its copies end in steps, and at each moment all of them are pending or ended', async () => {
  const removed = await store.removeAgent({ sessionId, id: 'ben', at: 5, audit: null });
  expect(removed).toEqual({ leftThreads: [], deadLettered: copies, hasMore: true });
  expect(await store.findAgent({ sessionId, id: 'ben' })).toBeNull();
  expect(await send('ben')).toMatchObject({ refused: { code: 'TARGET_UNKNOWN' } });
  await expect(register('ben')).rejects.toMatchObject({ code: 'BUSY' });
  expect(await store.removedInboxes()).toEqual([ben]);
  const left: number[] = [];
  for (let hasMore = true; hasMore;) {
    ({ hasMore } = await store.endRemovedInbox(ben));
    left.push(await countOf('pending'));
    // The send that was refused has left a dead letter, too.
    expect(left.at(-1)).toBe(copies + 1 - (await countOf('delivery')));
  }
  expect(left).toEqual([700, 200, 0]);
  expect(await countOf('dead_letter', 'recipient')).toBe(copies + 1);
  expect(await store.removedInboxes()).toEqual([]);
});

it('afterwards another may have its id, and gets only what comes from then on', async () => {
  expect(await register('ben')).toMatchObject({ isNew: true });
  await send('ben');
  expect(await store.endRemovedInbox(ben)).toEqual({ hasMore: false });
  expect(await countOf('pending')).toBe(1);
});

it('a short inbox ends with the agent', async () => {
  const removed = await store.removeAgent({ sessionId, id: 'dan', at: 6, audit: null });
  expect(removed).toEqual({ leftThreads: [], deadLettered: 1, hasMore: false });
  expect(await store.removedInboxes()).toEqual([]);
});
