// What a batch of sends does for parked waits that cannot be handed its copies: little, however many copies there are.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { LeaseRequest } from '../../dist/ports/store.js';
import { packSend } from '../../dist/store/sqlite/send/packed-send.js';
import { runBatch, type CommandCall } from '../../dist/store/sqlite/writer/batch.js';
import type { Database } from '../../dist/store/sqlite/writer/driver.js';
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { Tx } from '../../dist/store/sqlite/writer/transaction.js';
import { openCaller } from '../support/open-caller.js';
import { tempFolder } from '../support/temp-folder.js';

const sessionId = 'default';
let database: Database;
beforeAll(() => {
  database = openStoreDatabase({ folder: tempFolder(), storeMaxBytes: null });
});
afterAll(() => database.close());

function sends(sender: string, count: number): CommandCall[] {
  const draft = operations.sendMessage.input.parse({ target: 'ben', content: 'x' });
  return Array.from({ length: count }, () => [
    'appendPacked',
    packSend(planSend(openCaller(sessionId, sender), draft, 1)),
  ]);
}

function wait(token: string): CommandCall {
  const times = { now: 1, monotonicNow: 0, leaseMs: 10_000, tokensMax: null };
  const filter = { wakingOnly: true, from: 'ann' };
  const request = { sessionId, agentId: 'ben', filter, limit: 10, token, isManual: false, wait: 'first' };
  return ['leaseCopies', { ...request, ...times }];
}

it('filtered waits of an inbox that must be filed first cost one look in a batch, and others are handed its copies', () => {
  const tx = new Tx(database);
  const gets = vi.spyOn(tx, 'get');
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  runBatch(
    tx,
    ['ann', 'ben', 'eve'].map((id): CommandCall => ['registerAgent', { sessionId, id, ...nothing }]),
  );
  const looksOf = (calls: CommandCall[]) => {
    gets.mockClear();
    expect(runBatch(tx, calls).every((answer) => 'ok' in answer)).toBe(true);
    // Only a filtered read of a deep inbox looks for the mark of what is filed.
    return gets.mock.calls.filter(([sql]) => /select filed_seq/.test(sql)).length;
  };
  expect(looksOf(Array.from({ length: 20 }, (_, index) => wait(`w${index}`)))).toBe(0);
  runBatch(tx, sends('eve', 1_100));
  expect(looksOf(sends('ann', 30))).toBe(1);
  expect(tx.handed).toEqual([]);
  // Safe: the argument of the call.
  const filtered = wait('any')[1] as LeaseRequest;
  tx.waits.keep({ ...filtered, filter: { wakingOnly: true } });
  expect(looksOf(sends('ann', 30))).toBe(1);
  expect(tx.handed).toMatchObject([{ token: 'any' }]);
  expect(tx.bugs).toEqual([]);
});
