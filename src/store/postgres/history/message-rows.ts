// Finds message rows.
import { seqOfMessageId } from '../../../contract/ids.js';
import { columnsOf, messageColumns, type MessageRow } from '../../rows/message-row.js';
import { countWithin, withinSql } from '../../rows/rows-within.js';
import { limits } from '../../../contract/limits.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../connection/transaction.js';

/** By its public id; undefined also for an id of another session. */
export async function findMessage(tx: Tx, sessionId: string, messageId: string): Promise<MessageRow | undefined> {
  const session = await findSession(tx, sessionId);
  const seq = session === undefined ? undefined : seqOfMessageId(messageId, session.salt);
  if (seq === undefined) return undefined;
  // uses message's key
  return tx.get<MessageRow>(`select ${messageColumns} from message where session_id = ? and seq = ?`, [sessionId, seq]);
}

export async function messagesOf(tx: Tx, sessionId: string, seqs: readonly number[]): Promise<MessageRow[]> {
  if (seqs.length === 0) return [];
  // uses message's key, once per seq
  const rows = await tx.all<MessageRow>(
    `select ${messageColumns} from message where session_id = ? and seq = any(?::bigint[])`,
    [sessionId, seqs],
  );
  const found = new Map(rows.map((row) => [row.seq, row]));
  return seqs.flatMap((seq) => found.get(seq) ?? []);
}

/** As many of the messages as one page holds, in the order of the seqs. */
export async function messagesWithin(
  tx: Tx,
  sessionId: string,
  seqs: readonly number[],
): Promise<{ rows: MessageRow[]; isFull: boolean }> {
  if (seqs.length === 0) return { rows: [], isFull: false };
  // uses message's key, once per seq
  const found = await tx.all<MessageRow>(
    withinSql(
      `select ${columnsOf('m')}, k.place from unnest(?::bigint[]) with ordinality k (seq, place)
       join message m on m.session_id = ? and m.seq = k.seq`,
      'q.place',
    ),
    [seqs, sessionId, limits.pageBytes],
  );
  const rows = found.slice(0, countWithin(found));
  return { rows, isFull: rows.length < found.length };
}
