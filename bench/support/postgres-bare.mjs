// A plain loop on the `pg` driver: the same rows in the same tables, as many at once, on as many connections, handed over
// in the same way, and nothing else. It numbers the messages of its own sessions itself, so that nothing has to be locked.
import { Client } from 'pg';
import { migrate } from '../../dist/store/postgres/open.js';
import { answer, batch, text, times } from './send-path-shape.mjs';

const connections = 2;

process.once('message', (shape) => void run(shape));

async function run({ url, index, members }) {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(url);
      await client.connect();
      return client;
    }),
  );
  await migrate(clients[0]);
  const readers = Array.from({ length: members }, (_, number) => `reader-${number}`);
  const isThread = members > 1;
  const state = { sent: 0, isOver: false };
  const loops = clients.map(async (client, number) => {
    const session = `bare-${index}-${number}`;
    let seq = 0;
    const messageAt = (place) => ({
      session_id: session,
      seq: place,
      ...(isThread ? { thread_id: 't', type: 'STATUS' } : { target: readers[0] }),
      ...{ sender: 'ann', at: Date.now(), rank: 2, role: 'ASSISTANT', priority: 'normal', action: 'queue', urgent: 0 },
      content: JSON.stringify([{ type: 'text', text }]),
      recipients: JSON.stringify(readers),
    });
    const copyOf = (message, id) => ({
      ...{ session_id: session, agent_id: id, lane: isThread ? 1 : 0, rank: 2, seq: message.seq },
      why: isThread ? 'thread' : 'direct',
    });
    while (!state.isOver) {
      const messages = Array.from({ length: batch / connections }, () => messageAt(++seq));
      const copies = messages.flatMap((message) => readers.map((id) => copyOf(message, id)));
      await client.query({
        name: 'append',
        text: `with m as materialized (select * from jsonb_to_recordset($1::jsonb) as m (session_id text, seq bigint,
              thread_id text, sender text, at bigint, rank integer, role text, type text, priority text, action text,
              urgent integer, target text, content text, recipients text)),
          stored as (insert into message (session_id, seq, origin, thread_id, sender, at, rank, role, type, priority,
              action, urgent, target, content, recipients)
            select m.session_id, m.seq, 1, m.thread_id, m.sender, m.at, m.rank, m.role, m.type, m.priority, m.action,
              m.urgent, m.target, m.content, m.recipients from m)
          insert into pending (session_id, agent_id, lane, rank, seq, why)
          select c.session_id, c.agent_id, c.lane, c.rank, c.seq, c.why from jsonb_to_recordset($2::jsonb)
            as c (session_id text, agent_id text, lane integer, rank integer, seq bigint, why text)`,
        values: [JSON.stringify(messages), JSON.stringify(copies)],
      });
      state.sent += messages.length;
    }
  });
  const figures = await times(() => state.sent);
  state.isOver = true;
  await Promise.all(loops);
  for (const client of clients) await client.end();
  answer(figures);
}
