// A model's budget and two hubs: what one hub leaves is never handed out unmarked after what the other has handed out.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { HandedCopy, Store } from '../../dist/ports/store.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { eventually } from '../support/eventually.js';
import { openCaller } from '../support/open-caller.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

const inbox = { sessionId: 'default', agentId: 'ben' };
let first: Store;
let second: Store;
let direct: Client;

beforeAll(async () => {
  const url = (await databaseOf(tempFolder())) ?? '';
  const open = () => openPostgresStore({ url, onBatch() {}, onNotices() {}, onBug: console.error });
  first = await open();
  second = await open();
  direct = new Client(url);
  await direct.connect();
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben']) await first.registerAgent({ ...inbox, id, ...nothing });
});
afterAll(async () => {
  await first.close();
  await second.close();
  await direct.end();
});

async function send(content: string): Promise<void> {
  const input = operations.sendMessage.input.parse({ target: 'ben', content });
  await first.appendMessage(planSend(openCaller(inbox.sessionId, 'ann'), input, Date.now()));
}

function lease(store: Store, token: string, fields: { limit?: number; tokensMax?: number } = {}) {
  const given = { ...inbox, token, filter: { wakingOnly: false }, isManual: false, now: Date.now(), monotonicNow: 0 };
  return store.leaseCopies({ ...given, leaseMs: 10_000, limit: 10, tokensMax: null, ...fields });
}

const textOf = ({ message, redelivered }: HandedCopy) => {
  const [block] = message.content;
  const text = block !== undefined && 'text' in block ? String(block.text) : '';
  return text.slice(0, 1) + (redelivered ? ' again' : '');
};

it('a budget leaves copies that nobody else has seen leased', async () => {
  for (const text of ['A', 'B', 'C']) await send(`${text} ${'word '.repeat(300)}`);
  await send('D');
  // As a slow network between a hub and the server: to free a copy takes long.
  await direct.query(`create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$;
    create trigger slow before update on pending for each row
      when (old.lease_token is not null and new.lease_token is null) execute function slow()`);
  const dropped = lease(first, 'a', { limit: 3, tokensMax: 500 });
  await eventually('the first hub has leased', async () => {
    return (await direct.query("select 1 from pending where lease_token = 'a'")).rows.length > 0;
  });
  const other = await lease(second, 'b');
  await second.confirmLease({ ...inbox, token: 'b', keys: other.copies.map(({ key }) => key), at: Date.now() });
  const { copies, hasMore } = await dropped;
  expect([copies.map(textOf), hasMore]).toEqual([['A'], true]);
  await direct.query('drop trigger slow on pending');
  // Its client has gone.
  await first.releaseLease({ ...inbox, token: 'a', keys: copies.map(({ key }) => key), unsent: true });
  const rest = await lease(second, 'c');
  expect([other.copies.map(textOf), rest.copies.map(textOf)]).toEqual([['B', 'C', 'D'], ['A again']]);
});

it('a budget that surely suffices costs one statement', async () => {
  await send('E');
  await send('F');
  const original = Reflect.get(Client.prototype, 'query') as (...given: unknown[]) => unknown;
  let asked = 0;
  Reflect.set(Client.prototype, 'query', function count(this: Client, ...given: unknown[]) {
    asked += 1;
    return Reflect.apply(original, this, given);
  });
  try {
    expect((await lease(first, 'd', { tokensMax: 20_000 })).copies.map(textOf)).toEqual(['E', 'F']);
  } finally {
    Reflect.set(Client.prototype, 'query', original);
  }
  expect(asked).toBe(1);
});
