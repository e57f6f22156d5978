// A store at its bound whose reserve for leases and confirmations is used up: what does not fit is refused, and nothing else.
import { expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { LeaseRequest, Store } from '../../dist/ports/store.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { openCaller } from '../support/open-caller.js';
import { tempFolder } from '../support/temp-folder.js';

const sessionId = 'default';
const bugs: string[] = [];

const open = (folder: string, storeMaxBytes: number | null) =>
  openSqliteStore({
    folder,
    storeMaxBytes,
    monotonicNow: 0,
    manualLeaseMs: 60_000,
    onBatch() {},
    onNotices() {},
    onBug: (command, stack) => bugs.push(`${command}: ${stack}`),
    onBroken: (message) => bugs.push(message),
  });

function send(store: Store, target: string, content: string) {
  const draft = operations.sendMessage.input.parse({ target, content });
  return store.appendMessage(planSend(openCaller(sessionId, 'ann'), draft, 1));
}

function lease(store: Store, agentId: string, request: Partial<LeaseRequest> & { token: string }) {
  const times = { now: 1, monotonicNow: 0, leaseMs: 10_000, tokensMax: null };
  const filter = { wakingOnly: false };
  return store.leaseCopies({ sessionId, agentId, filter, limit: 10, isManual: false, ...times, ...request });
}

it('a lease that does not fit is refused, those that fit are kept, and no copy comes twice unmarked', async () => {
  const folder = tempFolder();
  const unbound = await open(folder, null);
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben', 'zoe']) await unbound.registerAgent({ sessionId, id, ...nothing });
  // More than the bound and its reserve of 4 MB.
  for (let count = 0; count < 80; count++) await send(unbound, 'ann', 'x'.repeat(90_000));
  await Promise.all(Array.from({ length: 1_500 }, () => send(unbound, 'ben', 'one of many')));
  for (const text of ['one', 'two', 'three']) await send(unbound, 'zoe', text);
  await unbound.close();

  const store = await open(folder, 1024 * 1024);
  // In one turn of the loop: one batch. The first needs more pages for its tokens than are free.
  const together = await Promise.allSettled([
    lease(store, 'ben', { token: 'many', limit: 1_500, bytesMax: 1e9 }),
    lease(store, 'zoe', { token: 'few' }),
  ]);
  expect(together[0]).toMatchObject({ status: 'rejected', reason: { code: 'STORE_FULL' } });
  const unmarked = together.flatMap((each) => (each.status === 'fulfilled' ? each.value.copies : []));
  // The next batches run as ever.
  await Promise.all([store.noteSeen([]), store.countUnread({ sessionId, agentId: 'zoe' })]);
  for (const token of ['again', 'and again']) unmarked.push(...(await lease(store, 'zoe', { token })).copies);
  expect(unmarked.map(({ key, redelivered }) => [key.seq, redelivered])).toEqual([
    [1_581, false],
    [1_582, false],
    [1_583, false],
  ]);
  await store.close();
  expect(bugs).toEqual([]);
});
