// A plain loop on the `pg` driver: the same rows in the same tables, as many at once, on as many connections, and
// nothing else. It numbers the messages of its own sessions itself, so that nothing has to be locked.
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
    while (!state.isOver) {
      const messages = Array.from({ length: batch / connections }, () => {
        return { seq: ++seq, at: Date.now(), content: JSON.stringify([{ type: 'text', text }]) };
      });
      await client.query({
        name: 'append',
        text: `with m as (select * from jsonb_to_recordset($1::jsonb) as m (seq bigint, at bigint, content text)),
          stored as (insert into message (session_id, seq, origin, thread_id, sender, at, rank, role, type, priority,
              action, urgent, target, content, recipients)
            select $2, m.seq, 1, $3, 'ann', m.at, 2, 'ASSISTANT', $4, 'normal', 'queue', 0, $5, m.content, $6 from m)
          insert into pending (session_id, agent_id, lane, rank, seq, why)
          select $2, r.id, $7::integer, 2, m.seq, 'thread' from m, unnest($8::text[]) as r (id)`,
        values: [
          JSON.stringify(messages),
          session,
          isThread ? 't' : null,
          isThread ? 'STATUS' : null,
          isThread ? null : readers[0],
          JSON.stringify(readers),
          isThread ? 1 : 0,
          readers,
        ],
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
