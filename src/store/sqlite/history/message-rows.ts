// Finds message rows.
import { seqOfMessageId } from '../../../contract/ids.js';
import { messageColumns as sharedColumns, type MessageRow as SharedRow } from '../../rows/message-row.js';
import { PageBytes } from '../../rows/rows-within.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';

export interface MessageRow extends SharedRow {
  /** Its row number, to which copies and indexes refer. */
  n: number;
}

export const messageColumns = `n, ${sharedColumns}`;

/** By its public id; undefined also for an id of another session. */
export function findMessage(tx: Tx, sessionId: string, messageId: string): MessageRow | undefined {
  const session = findSession(tx, sessionId);
  const seq = session === undefined ? undefined : seqOfMessageId(messageId, session.salt);
  if (seq === undefined) return undefined;
  // uses message_by_seq
  return tx.get<MessageRow>(`select ${messageColumns} from message where session_id = ? and seq = ?`, [sessionId, seq]);
}

export function messagesOf(tx: Tx, sessionId: string, seqs: readonly number[]): MessageRow[] {
  return seqs.flatMap((seq) => {
    // uses message_by_seq
    const sql = `select ${messageColumns} from message where session_id = ? and seq = ?`;
    return tx.get<MessageRow>(sql, [sessionId, seq]) ?? [];
  });
}

/** As many of the messages as one page holds, in the order of the seqs. */
export function messagesWithin(
  tx: Tx,
  sessionId: string,
  seqs: readonly number[],
): { rows: MessageRow[]; isFull: boolean } {
  const page = new PageBytes();
  const rows: MessageRow[] = [];
  for (const seq of seqs) {
    const [row] = messagesOf(tx, sessionId, [seq]);
    if (row === undefined) continue;
    if (!page.fits(row)) return { rows, isFull: true };
    rows.push(row);
  }
  return { rows, isFull: false };
}
