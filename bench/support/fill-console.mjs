// A session as the console shows it: threads with members, and messages in Markdown that all were read.
//   node bench/support/fill-console.mjs FOLDER MESSAGES THREADS
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { Tx } from '../../dist/store/sqlite/writer/transaction.js';
import { fillIndexes } from './fill-store.mjs';

const session = 'default';
/** The person whose page it is, in open mode. */
const person = 'me';
const agents = ['ada', 'ben', 'cleo', 'dora', 'eli', 'finn'];
const betweenMs = 1_000;

/** A paragraph, a list, a piece of code or a tool call, as agents write them; each has its number in it. */
function contentOf(n) {
  const texts = [
    `No. ${n}. The **migration** of part ${n % 50} is done; see \`orders/${n}.sql\`.`,
    `No. ${n}. @ben please look:\n\n- the lock is held for ${n % 900} ms\n- the plan is _unchanged_\n- nothing else waits`,
    `No. ${n}. What I ran:\n\n\`\`\`sql\nselect count(*) from orders where part = ${n % 50};\n\`\`\`\n\nIt took ${n % 70} ms.`,
    `No. ${n}. A longer report on the release, and on what is to be done next by whom. ${'It goes on for a while. '.repeat(6)}`,
  ];
  const text = { type: 'text', text: texts[n % texts.length] };
  if (n % 10 !== 0) return [text];
  const id = `call-${n}`;
  return [
    text,
    { type: 'tool_use', id, name: 'run_tests', input: { path: `test/${n}` } },
    { type: 'tool_result', toolUseId: id, output: `${n % 40} passed` },
  ];
}

export function threadIdOf(index) {
  return `t${String(index).padStart(12, '0')}`;
}

/** The newest message is from now. Every thread has a part of the newest messages. */
export function fillConsole(folder, { messages, threads }) {
  const database = openStoreDatabase({ folder, storeMaxBytes: null });
  database.exec('pragma synchronous = off; begin');
  const now = Date.now();
  const firstAt = now - messages * betweenMs;
  database.prepare('insert into session (id, salt, created_at) values (?, 7, ?)').run(session, firstAt);
  const agent = database.prepare(
    `insert into agent (session_id, id, name, description, capabilities, kind, owner, registered_at, last_seen_at)
     values (?, ?, ?, '', '[]', ?, 'open', ?, ?)`,
  );
  for (const id of agents) agent.run(session, id, id, 'agent', firstAt, now);
  agent.run(session, person, person, 'human', firstAt, now);
  const thread = database.prepare(
    `insert into thread (session_id, id, title, status, creator, is_critical, is_private, created_at)
     values (?, ?, ?, 'open', 'ada', 0, 0, ?)`,
  );
  const member = database.prepare(
    'insert into member (session_id, thread_id, agent_id, place, from_seq) values (?, ?, ?, ?, 0)',
  );
  for (let index = 0; index < threads; index++) {
    thread.run(session, threadIdOf(index), `Thread ${index}`, firstAt + index);
    for (const [place, id] of [...agents, person].entries()) member.run(session, threadIdOf(index), id, place + 1);
  }
  const message = database.prepare(
    `insert into message (n, session_id, seq, thread_id, sender, at, rank, role, priority, action, urgent, content, recipients)
     values (?, ?, ?, ?, ?, ?, 2, 'ASSISTANT', 'normal', 'queue', 0, ?, ?)`,
  );
  const delivery = database.prepare(
    `insert into delivery (n, agent_id, session_id, state, at, attempts, delivered_at, lane, why)
     values (?, ?, ?, 'read', ?, 1, ?, 1, 'thread')`,
  );
  for (let n = 1; n <= messages; n++) {
    const sender = agents[n % agents.length];
    const readers = [...agents, person].filter((id) => id !== sender);
    const at = firstAt + n * betweenMs;
    const threadId = threadIdOf((messages - n) % threads);
    message.run(n, session, n, threadId, sender, at, JSON.stringify(contentOf(n)), JSON.stringify(readers));
    for (const reader of readers) delivery.run(n, reader, session, at, at);
  }
  database.exec('commit');
  fillIndexes(new Tx(database));
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

const [folder, messages, threads] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename && folder !== undefined) {
  fillConsole(folder, { messages: Number(messages), threads: Number(threads) });
}
