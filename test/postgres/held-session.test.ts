// A session whose order someone holds: the others do not wait for it.
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

/** More than a hub has connections. */
const callsAtOnce = 15;

const held = { agent: 'ann', session: 'held' };
/** Enough that some of them share the way to the database with the one that is held. */
const free = ['red', 'blue', 'green', 'grey'].map((session) => ({ agent: 'ann', session }));

let folder: string;
let hub: HubProcess;
let client: Client;

beforeEach(async () => {
  folder = tempFolder();
  hub = await startHubProcess({ data: folder });
  client = new Client((await databaseOf(folder)) ?? '');
  await client.connect();
  for (const { session } of [held, ...free])
    for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
  await client.query('begin');
  await client.query(`select 1 from session where id = 'held' for no key update`);
});
afterEach(async () => {
  await client.end();
});

it('does not keep the sends of the others', async () => {
  const send = (as: { agent: string; session: string }) =>
    post(hub.url, 'send_message', { target: 'ben', message: 'hello' }, as);
  let isAnswered = false;
  const kept = send(held).finally(() => {
    isAnswered = true;
  });
  const statuses = (await Promise.all(free.map(send))).map(({ status }) => status);
  expect(statuses).toEqual(free.map(() => 200));
  expect(isAnswered).toBe(false);
  await client.query('rollback');
  expect((await kept).status).toBe(200);
});

it('does not take all connections from the others', async () => {
  const calls = Array.from({ length: callsAtOnce }, (_, index) =>
    post(hub.url, 'create_thread', { title: `thread ${index}`, participants: ['ben'] }, held),
  );
  await eventually('some wait for it', async () => {
    const { rows } = await client.query(`select 1 from pg_locks where not granted`);
    return rows.length >= 3;
  });
  const signal = AbortSignal.timeout(2_500);
  expect((await post(hub.url, 'get_messages', {}, { ...free[0], signal })).status).toBe(200);
  await client.query('rollback');
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: callsAtOnce }, () => 200));
});
