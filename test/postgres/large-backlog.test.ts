// A reader that has not read for long: more copies than one step ends.
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

const posts = 12_000;

async function plainPosts(client: Client): Promise<unknown[]> {
  const { rows } = await client.query(
    `select (select count(*)::integer from pending where lane = 1) as pending,
       (select count(*)::integer from delivery where lane = 1 and state = 'dead_lettered') as dead`,
  );
  return rows;
}

it('can leave a thread and be removed', async () => {
  const folder = tempFolder();
  const hub = await startHubProcess({ data: folder });
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
  const opened = { title: 'busy', participants: ['ben'], initial_message: 'hello @ben' };
  const { threadId } = await call(hub.url, 'create_thread', opened, { agent: 'ann' });
  const client = new Client((await databaseOf(folder)) ?? '');
  await client.connect();
  // As if it had been posted; to send as many would take longer than all else.
  const { rows } = await client.query('select max(seq)::integer as last from message');
  const range = `generate_series(${rows[0].last} + 1, ${rows[0].last} + ${posts}) n`;
  const columns =
    'origin, sender, at, rank, role, priority, action, urgent, content, recipients, session_id, thread_id';
  await client.query(
    `insert into message (seq, ${columns}) select n, m.origin, m.sender, m.at, m.rank, m.role, m.priority, m.action,
       m.urgent, m.content, m.recipients, m.session_id, m.thread_id
     from message m, ${range} where m.sender = 'ann'`,
  );
  await client.query(
    `insert into pending (session_id, agent_id, lane, rank, seq, why)
     select 'default', 'ben', 1, 2, n, 'thread' from ${range}`,
  );
  await call(hub.url, 'leave_thread', { threadId }, { agent: 'ben' });
  expect(await plainPosts(client)).toEqual([{ pending: 0, dead: posts }]);
  // The same once more, for an agent that goes.
  await client.query(
    `with back as (delete from delivery where lane = 1 and agent_id = 'ben' returning session_id, seq, agent_id, why)
     insert into pending (session_id, agent_id, lane, rank, seq, why)
     select session_id, agent_id, 1, 2, seq, why from back`,
  );
  await call(hub.url, 'remove_agent', { agentId: 'ben' }, { agent: 'ann' });
  expect(await plainPosts(client)).toEqual([{ pending: 0, dead: posts }]);
  await client.end();
});
