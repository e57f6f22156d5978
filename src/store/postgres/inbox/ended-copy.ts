// Finds the ended copy of a dead letter.
import type { Inbox } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';
import { isOpening, wantsReceiptAgain } from './open-again.js';

export async function findEndedCopy(
  tx: Tx,
  { sessionId, agentId }: Inbox,
  seq: number,
): Promise<{ lane: number; wantsReceipt: number | null } | undefined> {
  // uses the keys of delivery and message
  const row = await tx.get<{ lane: number; extras: string | null; isOpening: boolean }>(
    `select d.lane, m.extras, ${isOpening} as "isOpening"
     from delivery d join message m on m.session_id = d.session_id and m.seq = d.seq
     where d.session_id = ? and d.seq = ? and d.agent_id = ?`,
    [sessionId, seq, agentId],
  );
  return row === undefined ? undefined : { lane: row.lane, wantsReceipt: wantsReceiptAgain(row) };
}
