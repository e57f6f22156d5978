// Reopens ended copies at their old positions: the only way from history back into an inbox.
import type { Why } from '../../../contract/message.js';
import { lanes } from '../../../message/send/route.js';
import { receiptKinds } from '../../rows/receipt-row.js';
import type { Inbox, ReopenedCopy } from '../../rules/statements.js';
import { factsOfAgent } from '../session/agents.js';
import { filedColumns } from './file-copies.js';
import type { Tx } from '../writer/transaction.js';

/** SQL for the `pending.wants_receipt` that the copy of message `m` had. Uses critical_thread's key. */
export const wantsReceiptAgain = `case when m.extras ->> 'receipt' = 'read' then ${receiptKinds.copy}
  else (select ${receiptKinds.opening} from critical_thread c
    where c.session_id = m.session_id and c.thread_id = m.thread_id and c.opening = m.seq) end`;

export function reopenCopies(tx: Tx, inbox: Inbox, copies: readonly ReopenedCopy[]): number[] {
  const { sessionId, agentId } = inbox;
  if (factsOfAgent(tx, sessionId, agentId) === undefined) return [];
  return copies.flatMap((copy) => (reopenCopy(tx, inbox, copy) ? [copy.key.seq] : []));
}

function reopenCopy(tx: Tx, { sessionId, agentId }: Inbox, { key, expiresAt, wantsReceipt }: ReopenedCopy): boolean {
  const { lane, rank, seq } = key;
  // uses message_by_seq, then delivery's key
  const ended = tx.get<{ n: number; why: Why; attempts: number; delivered_at: number | null }>(
    `select d.n, d.why, d.attempts, d.delivered_at from message m
     join delivery d on d.n = m.n and d.agent_id = ? and d.session_id = m.session_id
     where m.session_id = ? and m.seq = ?`,
    [agentId, sessionId, seq],
  );
  if (ended === undefined) return false;
  const { n, why, attempts, delivered_at: deliveredAt } = ended;
  tx.run('delete from delivery where n = ? and agent_id = ? and session_id = ?', [n, agentId, sessionId]);
  tx.run(
    // filed: the copies around its place may be
    `insert into pending (session_id, agent_id, lane, rank, seq, n, why, attempts, leased_at, expires_at, wants_receipt,
       ${filedColumns})
     select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${filedColumns} from message where n = ?`,
    [sessionId, agentId, lane, rank, seq, n, why, attempts, deliveredAt, expiresAt, wantsReceipt, n],
  );
  if (lane === lanes.waking) tx.memory.session(sessionId)?.copyAdded(agentId);
  return true;
}
