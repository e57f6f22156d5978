// A store with many messages in it, as the hub leaves one: every copy read, every index filled. Written in bulk.
import { fillHistoryIndexes, indexLag } from '../../dist/store/sqlite/history/fill-history-indexes.js';
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { fillSearchIndex, mergeSearchIndex } from '../../dist/store/sqlite/search/search-index.js';
import { Tx } from '../../dist/store/sqlite/writer/transaction.js';

/**
 * @param {string} folder
 * @param {{size: number, sessions: number, agents: number, threads: number, textOf: (n: number) => string}} shape
 */
export function fillStore(folder, { size, sessions, agents, threads, textOf }) {
  const database = openStoreDatabase({ folder, storeMaxBytes: null });
  database.exec('pragma synchronous = off; begin');
  for (let s = 0; s < sessions; s++) {
    database.prepare('insert into session (id, salt, created_at) values (?, ?, 0)').run(`s${s}`, s);
    for (let a = 0; a < agents; a++) {
      const columns = 'session_id, id, name, description, capabilities, kind, owner, registered_at, last_seen_at';
      database
        .prepare(`insert into agent (${columns}) values (?, ?, ?, '', '[]', 'agent', 'open', 0, 0)`)
        .run(`s${s}`, `a${a}`, `a${a}`);
    }
  }
  const message = database.prepare(
    `insert into message (n, session_id, seq, thread_id, sender, at, rank, role, priority, action, urgent, content, recipients)
     values (?, ?, ?, ?, ?, ?, 2, 'ASSISTANT', 'normal', 'queue', 0, ?, ?)`,
  );
  const delivery = database.prepare(
    `insert into delivery (n, agent_id, session_id, state, at, attempts, delivered_at, lane, why)
     values (?, ?, ?, 'read', ?, 1, ?, 1, 'thread')`,
  );
  for (let n = 1; n <= size; n++) {
    const session = `s${n % sessions}`;
    const sender = (n * 31) % agents;
    const readers = [1, 2, 3].map((step) => `a${(sender + step) % agents}`);
    const content = JSON.stringify([{ type: 'text', text: textOf(n) }]);
    message.run(
      n,
      session,
      Math.ceil(n / sessions),
      `t${(n * 7919) % threads}`,
      `a${sender}`,
      n,
      content,
      JSON.stringify(readers),
    );
    for (const reader of readers) delivery.run(n, reader, session, n, n);
    if (n % 50_000 === 0) database.exec('commit; begin');
  }
  database.exec('commit');
  fillIndexes(new Tx(database));
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

/** By the hub's own hand. In larger steps than the hub takes: nothing else waits here. */
export function fillIndexes(tx) {
  while (indexLag(tx) > 0) inOneCommit(tx, () => fillHistoryIndexes(tx, 50_000));
  while (indexLag(tx, 'search') > 0) {
    inOneCommit(tx, () => {
      for (let step = 0; step < 40; step++) fillSearchIndex(tx);
    });
    while (mergeSearchIndex(tx));
  }
}

function inOneCommit(tx, work) {
  tx.control('begin immediate');
  work();
  tx.control('commit');
}
