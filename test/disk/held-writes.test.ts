// Leases that are held in memory while the disk takes no write, when the transaction that holds them is run again.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HubError } from '../../dist/contract/errors.js';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { LeasedCopies, TakenCopies } from '../../dist/ports/store.js';
import { packSend } from '../../dist/store/sqlite/send/packed-send.js';
import { runBatch, type CommandCall } from '../../dist/store/sqlite/writer/batch.js';
import type { Database } from '../../dist/store/sqlite/writer/driver.js';
import { HeldWrites } from '../../dist/store/sqlite/writer/held-writes.js';
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { Tx } from '../../dist/store/sqlite/writer/transaction.js';
import { openCaller } from '../support/open-caller.js';
import { tempFolder } from '../support/temp-folder.js';

const sessionId = 'default';
const refusal = new HubError('STORE_FULL', 'The disk is full.', { hint: 'Wait.' });
let database: Database;
let tx: Tx;
let held: HeldWrites;

beforeEach(() => {
  database = openStoreDatabase({ folder: tempFolder(), storeMaxBytes: null });
  tx = new Tx(database);
  // Safe: of the note only this is called.
  held = new HeldWrites({ set: () => true } as unknown as ConstructorParameters<typeof HeldWrites>[0]);
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  runBatch(
    tx,
    ['ann', 'ben', 'zoe'].map((id): CommandCall => ['registerAgent', { sessionId, id, ...nothing }]),
  );
});
afterEach(() => database.close());

function send(target: string, content: string, more: Record<string, unknown> = {}): CommandCall {
  const draft = operations.sendMessage.input.parse({ target, content, ...more });
  return ['appendPacked', packSend(planSend(openCaller(sessionId, 'ann'), draft, 1_000))];
}

function lease(agentId: string, token: string, limit = 1): LeasedCopies & { texts: string[] } {
  const times = { now: 1_000, monotonicNow: 0, leaseMs: 10_000, tokensMax: null };
  const request = { sessionId, agentId, filter: { wakingOnly: false }, limit, token, isManual: false, bytesMax: 1e9 };
  // Safe: this command returns it.
  const { copies } = held.run(tx, ['leaseCopies', { ...request, ...times }], refusal) as TakenCopies;
  const texts = copies.map(({ message }) => textOf(message.content));
  return { sessionId, agentId, token, keys: copies.map(({ key }) => key), texts };
}

function textOf(content: readonly { type: string }[]): string {
  return content.map((block) => ('text' in block ? block.text : '')).join('');
}

const confirm = (leased: LeasedCopies) => held.run(tx, ['confirmLease', { ...leased, at: 2_000 }], refusal);

it('a call that ends the whole transaction leaves the calls before it as they were', () => {
  runBatch(tx, [send('zoe', 'one'), ...Array.from({ length: 1_500 }, () => send('ben', 'one of many'))]);
  const one = lease('zoe', 'few');
  // Its tokens need further pages.
  tx.set('max_page_count = 1');
  expect(() => lease('ben', 'many', 1_500)).toThrow(/full/);
  expect(confirm(one)).toEqual([1]);
  expect(held.settle(tx)).toBe(true);
  expect(tx.get('select count(*) as count from pending where lease_token is not null')).toEqual({ count: 0 });
});

it('a commit that the disk refuses later leaves each lease with the copies that it took', () => {
  tx.clockJumps.follow({ now: 1_000, monotonicNow: 0 }, () => false);
  runBatch(tx, [send('ben', 'soon over', { ttl: 5 }), send('ben', 'two'), send('ben', 'three')]);
  const first = lease('ben', 'first');
  const second = lease('ben', 'second');
  expect([...first.texts, ...second.texts]).toEqual(['soon over', 'two']);
  tx.clockJumps.follow({ now: 11_000, monotonicNow: 10_000 }, () => false);
  refuseNextCommit();
  expect(held.settle(tx)).toBe(false);
  expect([confirm(first), confirm(second)]).toEqual([[1], [2]]);
  expect(held.settle(tx)).toBe(true);
  expect(tx.all('select seq, lease_token from pending')).toMatchObject([{ seq: 3, lease_token: null }]);
});

it('a commit that the disk refuses later expires no more than the reaper did', () => {
  tx.clockJumps.follow({ now: 1_000, monotonicNow: 0 }, () => false);
  runBatch(tx, [send('ben', 'short', { ttl: 1 }), send('ben', 'longer', { ttl: 5 })]);
  tx.clockJumps.follow({ now: 2_000, monotonicNow: 1_000 }, () => false);
  expect(held.run(tx, ['reap', { now: 2_000, monotonicNow: 1_000, runOutsMax: 5 }], refusal)).toMatchObject({
    expired: 1,
  });
  const longer = lease('ben', 'one');
  expect(longer.texts).toEqual(['longer']);
  tx.clockJumps.follow({ now: 11_000, monotonicNow: 10_000 }, () => false);
  refuseNextCommit();
  expect(held.settle(tx)).toBe(false);
  expect(confirm(longer)).toEqual([2]);
});

/** As a disk does that seemed to have room. */
function refuseNextCommit(): void {
  const control = tx.control.bind(tx);
  tx.control = (sql) => {
    if (sql !== 'commit') return control(sql);
    tx.control = control;
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  };
}
