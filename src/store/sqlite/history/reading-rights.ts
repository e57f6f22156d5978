// Reads the facts that decide whether a reader may read a stored message.
import type { CopyState } from '../../../contract/message.js';
import { mayRead } from '../../../message/history/decide-reading.js';
import type { Reader } from '../../../ports/caller.js';
import type { MessageRow } from './message-rows.js';
import { findThread } from '../thread/thread-rows.js';
import type { Tx } from '../writer/transaction.js';

export type ReadableRow = Pick<MessageRow, 'n' | 'session_id' | 'seq' | 'sender' | 'thread_id' | 'recipients'>;

export function mayReadRow(tx: Tx, row: ReadableRow, reader: Reader): boolean {
  if (reader.kind === 'all') return true;
  const { sender, seq, thread_id: threadId } = row;
  const thread = threadId === null ? undefined : findThread(tx, row.session_id, threadId);
  return mayRead({ sender, seq, thread, ownCopy: () => ownCopy(tx, row, reader) }, reader);
}

/** A copy that has not ended counts as pending; whether it is leased makes no difference here. */
function ownCopy(tx: Tx, row: ReadableRow, reader: Reader): { state: CopyState; attempts: number } | undefined {
  if (reader.kind !== 'agent' || !(JSON.parse(row.recipients) as string[]).includes(reader.agentId)) return undefined;
  // uses delivery's key
  const ended = tx.get<{ state: CopyState; attempts: number }>(
    `select state, attempts from delivery where n = ? and agent_id = ? and session_id = ?`,
    [row.n, reader.agentId, row.session_id],
  );
  return ended ?? { state: 'pending', attempts: 0 };
}
