// An inbox of 20,000 unread copies on PostgreSQL: a filtered wait takes what matches, and others are answered meanwhile.
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { healthDuring, healthMsMax, startSmallHub } from '../adversary/attacked-hub.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

const copies = 20_000;

/** As if it had been sent by `busy`, every thousandth by `rare`; to send as many would take longer than all else. */
async function fill(client: Client): Promise<void> {
  const range = `generate_series(m.seq + 1, m.seq + ${copies}) n`;
  await client.query(
    `insert into message (seq, session_id, origin, sender, at, rank, role, priority, action, urgent, content, recipients)
     select n, m.session_id, m.origin, case when n % 1000 = 0 then 'rare' else 'busy' end, m.at, m.rank, m.role,
       m.priority, m.action, m.urgent, m.content, m.recipients
     from message m, ${range} where m.sender = 'busy'`,
  );
  await client.query(
    `insert into pending (session_id, agent_id, lane, rank, seq, why, sender)
     select p.session_id, p.agent_id, p.lane, p.rank, n, p.why, null
     from pending p, generate_series(p.seq + 1, p.seq + ${copies}) n where p.agent_id = 'late'`,
  );
}

it('filtered waits, cursors and remove_agent hold up nobody', async () => {
  const folder = tempFolder();
  const hub = await startSmallHub({ data: folder });
  for (const agentId of ['late', 'busy', 'rare', 'idle']) await call(hub.url, 'register_agent', { agentId });
  await call(hub.url, 'send_message', { target: 'late', message: 'one of many' }, { agent: 'busy' });
  const client = new Client((await databaseOf(folder)) ?? '');
  await client.connect();
  await fill(client);
  const state = { isOver: false, sent: 0 };
  const send = async () => {
    while (!state.isOver) {
      await call(hub.url, 'send_message', { target: 'idle', message: 'short' }, { agent: 'busy' });
      state.sent += 1;
    }
  };
  const wait = { from: 'rare', timeoutMs: 0, limit: 5, ack: 'manual' };
  const health = await healthDuring(hub.url, async () => {
    const sending = send();
    // Before the hub has filed the inbox, or while it does: what is found early comes at once, and the rest in its order.
    const first = await call(hub.url, 'wait_for_mentions', wait, { agent: 'late' });
    const found: number[] = first.messages.map(({ seq }: { seq: number }) => seq);
    expect(found).toEqual([1_000, 2_000, 3_000, 4_000, 5_000].slice(0, Math.max(1, found.length)));
    expect(first.hasMore).toBe(true);
    const next = await call(hub.url, 'wait_for_mentions', { ...wait, cursor: first.cursor }, { agent: 'late' });
    expect(next.messages[0].seq).toBe(Number(found.at(-1)) + 1_000);
    await eventually('the hub has filed the inbox', async () => {
      const { rows } = await client.query("select 1 from pending where agent_id = 'late' and sender is null limit 1");
      return rows.length === 0;
    });
    await call(hub.url, 'remove_agent', { agentId: 'late' }, { agent: 'late' });
    state.isOver = true;
    await sending;
  });
  const { rows } = await client.query("select count(*)::integer as left from pending where agent_id = 'late'");
  await client.end();
  expect(rows).toEqual([{ left: 0 }]);
  expect(state.sent).toBeGreaterThan(5);
  expect(health.failures).toBe(0);
  expect(health.slowestMs).toBeLessThan(healthMsMax);
});
