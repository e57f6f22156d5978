// A hub whose clock is wrong: what it sends lives as long as its sender said, by the database's clock.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store } from '../../dist/ports/store.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';
import { openCaller } from '../support/open-caller.js';

const sessionId = 'default';
const folder = tempFolder();
let store: Store;
let client: Client;

beforeAll(async () => {
  const url = (await databaseOf(folder)) ?? '';
  client = new Client(url);
  await client.connect();
  store = await openPostgresStore({ url, onBatch() {}, onNotices() {}, onBug: console.error });
  for (const id of ['ann', 'ben']) {
    const nothing = { name: null, description: null, capabilities: null };
    await store.registerAgent({ sessionId, id, ...nothing, owner: 'open', at: 1, onlyIfMissing: false });
  }
});
afterAll(async () => {
  await client.end();
  await store.close();
});

const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };

const hour = 60 * 60_000;
const ttl = 1_800;

it.each([
  ['an hour behind', -hour, 'hello'],
  ['an hour behind, with an attachment', -hour, [picture]],
  ['an hour ahead', hour, 'hello'],
  ['an hour ahead, with an attachment', hour, [picture]],
])('%s', async (_, offByMs, content) => {
  const caller = openCaller(sessionId, 'ann');
  const draft = operations.sendMessage.input.parse({ target: 'ben', content, ttl });
  const sent = await store.appendMessage(planSend(caller, draft, Date.now() + offByMs));
  if (!('appended' in sent)) throw new Error('it was refused');
  const { rows } = await client.query(
    `select m.expires_at - hub_time() as message, p.expires_at - hub_time() as copy
     from message m join pending p on p.session_id = m.session_id and p.seq = m.seq and p.agent_id = 'ben'
     where m.session_id = $1 and m.seq = $2`,
    [sessionId, sent.appended.seq],
  );
  for (const left of [rows[0].message, rows[0].copy].map(Number)) {
    expect(left).toBeLessThanOrEqual(ttl * 1_000);
    expect(left).toBeGreaterThan(ttl * 1_000 - 60_000);
  }
});
