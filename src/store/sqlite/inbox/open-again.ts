// An ended copy is open again, in its old place: the one way back from history into an inbox.
import type { Why } from '../../../contract/message.js';
import { lanes } from '../../../message/send/route.js';
import type { Tx } from '../writer/transaction.js';

export interface ReopenedCopy {
  sessionId: string;
  agentId: string;
  lane: number;
  rank: number;
  seq: number;
  n: number;
  why: Why;
  /** Kept: what was handed out before comes marked. */
  attempts: number;
  deliveredAt: number | null;
  expiresAt: number | null;
  wantsReceipt: number | null;
}

/** What the copy of message `m` had in `pending.wants_receipt`. Uses critical_thread's key. */
export const wantsReceiptAgain = `case when m.extras ->> 'receipt' = 'read' then 1 else (select 2 from critical_thread c
  where c.session_id = m.session_id and c.thread_id = m.thread_id and c.opening = m.seq) end`;

export function openAgain(tx: Tx, copy: ReopenedCopy): void {
  const { sessionId, agentId, lane, rank, seq, n, why, attempts, deliveredAt, expiresAt, wantsReceipt } = copy;
  tx.run('delete from delivery where n = ? and agent_id = ? and session_id = ?', n, agentId, sessionId);
  tx.run(
    `insert into pending (session_id, agent_id, lane, rank, seq, n, why, attempts, leased_at, expires_at, wants_receipt)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[sessionId, agentId, lane, rank, seq, n, why, attempts, deliveredAt, expiresAt, wantsReceipt],
  );
  if (lane === lanes.waking) tx.memory.session(sessionId)?.mailHasCome(agentId);
}
