// A plain loop on the `pg` driver: the same rows in the same tables, as many at once, on as many connections, and nothing
// else. It numbers the messages of its own sessions itself, so that nothing has to be locked. A batch is handed over as
// JSON or as the driver's arrays, the two ways one would write it.
import { Client } from 'pg';
import { migrate } from '../../dist/store/postgres/connection/upgrade-schema.js';
import { answer, batch, text, times } from './send-path-shape.mjs';

const connections = 2;

const messageColumns = {
  session_id: 'text',
  seq: 'bigint',
  thread_id: 'text',
  sender: 'text',
  at: 'bigint',
  rank: 'integer',
  role: 'text',
  type: 'text',
  priority: 'text',
  action: 'text',
  urgent: 'integer',
  target: 'text',
  content: 'text',
  recipients: 'text',
};
const copyColumns = {
  session_id: 'text',
  agent_id: 'text',
  lane: 'integer',
  rank: 'integer',
  seq: 'bigint',
  why: 'text',
};

const forms = {
  json: {
    from: (columns, place) =>
      `jsonb_to_recordset($${place}::jsonb) as r (${listed(Object.entries(columns).map((pair) => pair.join(' ')))})`,
    values: (_, rows) => [JSON.stringify(rows)],
  },
  arrays: {
    from: (columns, place) =>
      `unnest(${listed(Object.values(columns).map((type, index) => `$${place + index}::${type}[]`))})
        as r (${listed(Object.keys(columns))})`,
    values: (columns, rows) => Object.keys(columns).map((name) => rows.map((row) => row[name] ?? null)),
  },
};

process.once('message', (shape) => void run(shape));

async function run({ url, index, members, form }) {
  const { from, values } = forms[form];
  const copiesFrom = 1 + values(messageColumns, []).length;
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
      sender: 'ann',
      at: Date.now(),
      rank: 2,
      role: 'ASSISTANT',
      priority: 'normal',
      action: 'queue',
      urgent: 0,
      content: JSON.stringify([{ type: 'text', text }]),
      recipients: JSON.stringify(readers),
    });
    const copyOf = (message, id) => ({
      session_id: session,
      agent_id: id,
      lane: isThread ? 1 : 0,
      rank: 2,
      seq: message.seq,
      why: isThread ? 'thread' : 'direct',
    });
    while (!state.isOver) {
      const messages = Array.from({ length: batch / connections }, () => messageAt(++seq));
      const copies = messages.flatMap((message) => readers.map((id) => copyOf(message, id)));
      await client.query({
        name: 'append',
        text: `with stored as (insert into message (origin, ${listed(Object.keys(messageColumns))})
            select 1, r.* from ${from(messageColumns, 1)})
          insert into pending (${listed(Object.keys(copyColumns))}) select r.* from ${from(copyColumns, copiesFrom)}`,
        values: [...values(messageColumns, messages), ...values(copyColumns, copies)],
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

function listed(words) {
  return words.join(', ');
}
