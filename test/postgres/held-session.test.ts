// A session whose order someone holds: the others do not wait for it.
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { removeFolder, startHubProcess, tempFolder } from '../support/hub-process.js';
import { databaseOf } from '../support/test-database.js';

/** More than a hub has connections. */
const callsAtOnce = 15;

it('does not take all connections from the others', async () => {
  const folder = tempFolder();
  const hub = await startHubProcess({ data: folder });
  const client = new Client((await databaseOf(folder)) ?? '');
  await client.connect();
  const held = { agent: 'ann', session: 'held' };
  const free = { agent: 'ann', session: 'free' };
  try {
    for (const { session } of [held, free])
      for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
    await client.query('begin');
    await client.query(`select 1 from session where id = 'held' for no key update`);
    const calls = Array.from({ length: callsAtOnce }, (_, index) =>
      post(hub.url, 'create_thread', { title: `thread ${index}`, participants: ['ben'] }, held),
    );
    await eventually('some wait for it', async () => {
      const { rows } = await client.query(`select 1 from pg_locks where not granted`);
      return rows.length >= 3;
    });
    const signal = AbortSignal.timeout(2_500);
    expect((await post(hub.url, 'get_messages', {}, { ...free, signal })).status).toBe(200);
    await client.query('rollback');
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: callsAtOnce }, () => 200));
  } finally {
    await client.end();
    await hub.stop();
    removeFolder(folder);
  }
});
