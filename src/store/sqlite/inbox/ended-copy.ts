// Finds the ended copy of a dead letter.
import type { Inbox } from '../../rules/statements.js';
import type { Tx } from '../writer/transaction.js';
import { wantsReceiptAgain } from './open-again.js';

export function findEndedCopy(
  tx: Tx,
  { sessionId, agentId }: Inbox,
  seq: number,
): { lane: number; wantsReceipt: number | null } | undefined {
  // uses message_by_seq, then delivery's key
  return tx.get(
    `select d.lane, ${wantsReceiptAgain} as wantsReceipt from message m
     join delivery d on d.n = m.n and d.agent_id = ? and d.session_id = m.session_id
     where m.session_id = ? and m.seq = ?`,
    [agentId, sessionId, seq],
  );
}
