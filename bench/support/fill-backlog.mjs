// A store with deep inboxes: copies from `busy` in the label `noise`, and every thousandth from `rare`. Written in bulk, as a
// hub of an earlier release leaves it: nothing is filed.
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';

/** @param {string} folder */
export function fillBacklog(folder, { size, readers, threads }) {
  const database = openStoreDatabase({ folder, storeMaxBytes: null });
  database.exec('pragma synchronous = off; begin');
  database.prepare('insert into session (id, salt, created_at) values (?, ?, 0)').run('default', 1);
  const columns = 'session_id, id, name, description, capabilities, kind, owner, registered_at, last_seen_at';
  for (const id of [...readers, 'busy', 'rare', 'idle', 'other']) {
    database
      .prepare(`insert into agent (${columns}) values ('default', ?, ?, '', '[]', 'agent', 'open', 0, 0)`)
      .run(id, id);
  }
  const message = database.prepare(
    `insert into message (n, session_id, seq, thread_id, sender, at, rank, role, priority, action, urgent, content, recipients)
     values (?, 'default', ?, ?, ?, ?, 2, 'ASSISTANT', 'normal', 'queue', 0, ?, ?)`,
  );
  const pending = database.prepare(
    `insert into pending (session_id, agent_id, lane, rank, seq, n, why) values ('default', ?, 0, 2, ?, ?, 'direct')`,
  );
  const content = JSON.stringify([{ type: 'text', text: 'one of many messages that nobody has read yet' }]);
  for (let n = 1; n <= size; n++) {
    const isRare = n % 1_000 === 0;
    message.run(n, n, isRare ? null : 'noise', isRare ? 'rare' : 'busy', n, content, JSON.stringify(readers));
    for (const reader of readers) pending.run(reader, n, n);
  }
  const thread = database.prepare(
    `insert into thread (session_id, id, title, status, creator, is_critical, is_private, created_at)
     values ('default', ?, 'a thread', 'open', 'busy', 0, 1, ?)`,
  );
  const member = database.prepare(
    `insert into member (session_id, thread_id, agent_id, place, from_seq) values ('default', ?, 'busy', 1, 0)`,
  );
  for (let t = 0; t < threads; t++) {
    thread.run(`t${t}`, t);
    member.run(`t${t}`);
  }
  database.exec('commit; pragma wal_checkpoint(truncate)');
  database.close();
}
