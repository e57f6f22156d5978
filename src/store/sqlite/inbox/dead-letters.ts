// The list of copies that could not be delivered.
import type { Store } from '../../../ports/store.js';
import { letterColumns, letterPage, type LetterRow } from '../../rows/letter-row.js';
import type { Inbox } from '../../rules/statements.js';
import type { Tx } from '../writer/transaction.js';
import { wantsReceiptAgain } from './open-again.js';

const letters = `select ${letterColumns} from dead_letter d
  join message m on m.session_id = d.session_id and m.seq = d.seq`;

export function deadLetters(
  tx: Tx,
  { sessionId, limit, before }: Parameters<Store['deadLetters']>[0],
): Awaited<ReturnType<Store['deadLetters']>> {
  // uses dead_letter_by_session, then message_by_seq
  const rows = tx.all<LetterRow>(`${letters} where d.session_id = ? and d.id < ? order by d.id desc limit ?`, [
    sessionId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit + 1,
  ]);
  return letterPage(rows, limit);
}

export function findDeadLetter(tx: Tx, sessionId: string, number: number): LetterRow | undefined {
  return tx.get<LetterRow>(`${letters} where d.session_id = ? and d.id = ?`, [sessionId, number]);
}

export function deleteDeadLetter(tx: Tx, sessionId: string, number: number): boolean {
  return tx.run('delete from dead_letter where session_id = ? and id = ?', [sessionId, number]) > 0;
}

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
