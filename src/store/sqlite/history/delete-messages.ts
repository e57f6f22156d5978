// Deletes messages whose time is over, with everything that refers to them.
import type { PruneStep } from '../../../ports/store.js';
import { isCopyInInbox, isPrunable } from '../../rows/prunable.js';
import { prunedPerStep } from '../../rules/prune-messages.js';
import type { PrunableRow } from '../../rules/statements.js';
import { removeWords } from '../search/search-index.js';
import type { Tx } from '../writer/transaction.js';
import { messagesOf, type MessageRow } from './message-rows.js';

// The cross join keeps SQLite in this order.
const pendingCopies = `select 1 from json_each(m.recipients) r cross join pending p where ${isCopyInInbox('in (0, 1)')}`;

/** Without the newest message of the session, from which the next seq and row number are counted. */
export function prunableMessages(tx: Tx, { sessionId, before, afterSeq }: PruneStep): PrunableRow[] {
  // uses message_by_seq
  const rows = tx.all<{ seq: number; at: number; isEnded: number }>(
    `select m.seq, m.at, ${isPrunable(pendingCopies, 'e.n = m.n')} as isEnded from message m
     where m.session_id = ? and m.seq > ? and m.seq < (select max(l.seq) from message l where l.session_id = ?)
     order by m.seq limit ?`,
    [before, sessionId, afterSeq, sessionId, prunedPerStep],
  );
  return rows.map(({ seq, at, isEnded }) => ({ seq, at, isEnded: isEnded === 1 }));
}

export function deleteMessages(tx: Tx, sessionId: string, seqs: readonly number[]): void {
  for (const row of messagesOf(tx, sessionId, seqs)) deleteMessage(tx, row);
  // uses message_span's key and message_by_seq
  tx.run(
    `delete from message_span where session_id = ? and last_seq <
       (select min(m.seq) from message m where m.session_id = ?)`,
    [sessionId, sessionId],
  );
  lowerWatermarks(tx);
}

/**
 * In the same transaction: after a restart, row numbers are given again from the highest that is left, and a message that gets
 * one of those deleted is not indexed, nor in doubt.
 */
function lowerWatermarks(tx: Tx): void {
  tx.run(
    `update watermark set n = (select coalesce(max(n), 0) from message)
     where name in ('history', 'search', 'doubtful') and n > (select coalesce(max(n), 0) from message)`,
  );
}

function deleteMessage(tx: Tx, row: MessageRow): void {
  const { n, session_id: sessionId, seq, sender, thread_id: threadId, target } = row;
  removeWords(tx, row);
  const entry = (table: string, column: string, id: string) =>
    tx.run(`delete from ${table} where session_id = ? and ${column} = ? and seq = ?`, [sessionId, id, seq]);
  if (threadId !== null) entry('thread_message', 'thread_id', threadId);
  entry('sender_message', 'agent_id', sender);
  const readers = JSON.parse(row.recipients) as string[];
  for (const id of target === null ? readers : [...readers, target]) entry('reader_message', 'agent_id', id);
  tx.run('delete from delivery where n = ? and session_id = ?', [n, sessionId]);
  // uses dead_letter_by_seq
  tx.run('delete from dead_letter where session_id = ? and seq = ?', [sessionId, seq]);
  tx.run('delete from message where n = ? and session_id = ?', [n, sessionId]);
}
