// A lease from an inbox of 20,000 copies looks at what it takes, also where PostgreSQL knows nothing of the table: a hub's
// connection keeps the plan that it made when inboxes were short.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { HandedOver, LeaseRequest, Store } from '../../dist/ports/store.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { openCaller } from '../support/open-caller.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

const sessionId = 'default';
const copies = 20_000;
/** The unread count stops at a thousand, and 500 copies show that an inbox is deep. */
const seenMax = 2_000;
const original = Reflect.get(Client.prototype, 'query') as (...given: unknown[]) => unknown;
const asked: { text: string; values: unknown[] }[] = [];
const handed: HandedOver[] = [];
let store: Store;
let client: Client;

beforeAll(async () => {
  const url = (await databaseOf(tempFolder())) ?? '';
  Reflect.set(Client.prototype, 'query', function collect(this: Client, ...given: unknown[]) {
    const [first] = given as [{ text?: string; values?: unknown[] } | string];
    if (typeof first !== 'string') asked.push({ text: first.text ?? '', values: first.values ?? [] });
    return Reflect.apply(original, this, given);
  });
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const waits = { clock, onHanded: (each: readonly HandedOver[]) => void handed.push(...each) };
  store = await openPostgresStore({ url, waits, onBatch() {}, onNotices() {}, onBug: console.error });
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben', 'eve']) await store.registerAgent({ sessionId, id, ...nothing });
  client = new Client(url);
  await client.connect();
  await client.query('set enable_seqscan = off');
  await client.query(
    `insert into message (session_id, seq, sender, at, rank, role, priority, action, urgent, content, recipients, origin)
     select 'default', n, 'ann', 1, 2, 'ASSISTANT', 'normal', 'queue', 0, '[{"type":"text","text":"one of many"}]',
       '["ben", "eve"]', 1 from generate_series(1, ${copies}) n`,
  );
  await client.query(
    `insert into pending (session_id, agent_id, lane, rank, seq, why)
     select 'default', reader, case reader when 'eve' then 1 else 0 end, 2, n, 'direct'
     from generate_series(1, ${copies}) n, unnest(array['ben', 'eve']) reader`,
  );
  while ((await store.fileCopies({ sessionId, agentId: 'ben' })).hasMore);
});
afterAll(async () => {
  Reflect.set(Client.prototype, 'query', original);
  await client.end();
  await store.close();
});

/** By this connection, since the server last collected its counts. */
async function fetched(): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'pending'`,
  );
  return Number(rows[0]?.count);
}

/** How many copies the statements of a call look at: each is run once more, and undone. */
async function seenBy(call: () => Promise<unknown>): Promise<number> {
  asked.length = 0;
  await call();
  const onInbox = asked.filter(({ text }) => /\bpending\b|append_messages/.test(text));
  expect(onInbox).not.toEqual([]);
  let most = 0;
  for (const { text, values } of onInbox) {
    await client.query('begin');
    const before = await fetched();
    await client.query(text, values);
    const seen = (await fetched()) - before;
    await client.query('rollback');
    most = Math.max(most, seen);
  }
  return most;
}

function requestOf(token: string, extra: Partial<LeaseRequest> = {}): LeaseRequest {
  const lease = { isManual: false, now: 2, monotonicNow: 0, leaseMs: 10_000, tokensMax: null, bytesMax: 262_144 };
  return {
    sessionId,
    agentId: 'ben',
    ...lease,
    filter: { wakingOnly: true },
    limit: 10,
    token,
    wait: undefined,
    ...extra,
  };
}

describe('in an inbox of 20,000 copies, these look at few:', () => {
  it.each([
    ['a lease', {}],
    ['a lease from both lanes', { filter: { wakingOnly: false } }],
    ['the lease of a model', { tokensMax: 200 }],
    ['a filtered lease', { filter: { wakingOnly: true, from: 'ann' } }],
  ] satisfies [string, Partial<LeaseRequest>][])('%s, its release and its confirmation', async (token, extra) => {
    const request = requestOf(token, extra);
    let taken: Awaited<ReturnType<Store['leaseCopies']>> | undefined;
    expect(await seenBy(async () => (taken = await store.leaseCopies(request)))).toBeLessThanOrEqual(seenMax);
    const keys = taken?.copies.map(({ key }) => key) ?? [];
    expect(keys.length).toBeGreaterThan(0);
    const held = { sessionId, agentId: 'ben', token, keys };
    expect(await seenBy(() => store.releaseLease({ ...held, unsent: true }))).toBeLessThanOrEqual(seenMax);
    await store.leaseCopies(request);
    expect(await seenBy(() => store.confirmLease({ ...held, at: 3 }))).toBeLessThanOrEqual(seenMax);
  });

  it('the read of a wait for mentions beside plain posts, and the send that is handed to it', async () => {
    const wait = requestOf('parked', { agentId: 'eve', wait: 'first' });
    expect(await seenBy(() => store.leaseCopies(wait))).toBeLessThanOrEqual(seenMax);
    const input = operations.sendMessage.input.parse({ target: 'eve', content: 'hello' });
    const plan = planSend(openCaller(sessionId, 'ann'), input, Date.now());
    expect(await seenBy(() => store.appendMessage(plan))).toBeLessThanOrEqual(seenMax);
    expect(handed.map(({ token }) => token)).toEqual(['parked']);
  });
});
