// Gives copies the columns of their messages, by which filters find them.
import type { Inbox } from '../../rules/statements.js';
import type { Tx } from '../writer/transaction.js';

/** As `pending` has them: the columns that filters test. */
export const filedColumns = 'sender, thread_id, type, target';

export function fileCopies(tx: Tx, { sessionId, agentId }: Inbox, { from, to }: { from: number; to: number }): void {
  const columnsOfMessage = `(select m.sender, m.thread_id, m.type, m.target from message m where m.n = pending.n)`;
  // uses pending's key, then message by its row number
  tx.run(
    `update pending set (${filedColumns}) = ${columnsOfMessage} where session_id = ? and agent_id = ?
     and lane in (0, 1) and rank in (0, 1, 2, 3) and seq >= ? and seq <= ?`,
    [sessionId, agentId, from, to],
  );
  // uses pending_by_sender: copies that an earlier release has put back
  tx.run(
    `update pending indexed by pending_by_sender set (${filedColumns}) = ${columnsOfMessage}
     where session_id = ? and agent_id = ? and sender = '' and lane in (0, 1) and rank in (0, 1, 2, 3) and seq < ?`,
    [sessionId, agentId, from],
  );
}
