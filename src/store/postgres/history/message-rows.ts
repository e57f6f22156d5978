// Finds message rows.
import { seqOfMessageId } from '../../../contract/ids.js';
import { messageColumns, type MessageRow } from '../../rows/message-row.js';
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
