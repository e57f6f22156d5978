// The list of copies that could not be delivered.
import type { Store } from '../../../ports/store.js';
import { letterColumns, letterPage, type LetterRow } from '../../rows/letter-row.js';
import type { Inbox } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';
import { isOpening, wantsReceiptAgain } from './open-again.js';

const letters = `select ${letterColumns} from dead_letter d
  join message m on m.session_id = d.session_id and m.seq = d.seq`;

export async function deadLetters(
  tx: Tx,
  { sessionId, limit, before }: Parameters<Store['deadLetters']>[0],
): Promise<Awaited<ReturnType<Store['deadLetters']>>> {
  // uses the keys of dead_letter and message
  const rows = await tx.all<LetterRow>(`${letters} where d.session_id = ? and d.id < ? order by d.id desc limit ?`, [
    sessionId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit + 1,
  ]);
  return letterPage(rows, limit);
}

export async function findDeadLetter(tx: Tx, sessionId: string, number: number): Promise<LetterRow | undefined> {
  return tx.get<LetterRow>(`${letters} where d.session_id = ? and d.id = ?`, [sessionId, number]);
}

export async function deleteDeadLetter(tx: Tx, sessionId: string, number: number): Promise<boolean> {
  return (await tx.run('delete from dead_letter where session_id = ? and id = ?', [sessionId, number])) > 0;
}

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
