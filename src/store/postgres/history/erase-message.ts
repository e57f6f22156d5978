// Erases what a message says.
import type { MessageRow } from '../../rows/message-row.js';
import type { Tx } from '../connection/transaction.js';
import { removeWords } from '../search/search-index.js';

/** The server keeps the old row until it is vacuumed. */
export async function eraseMessage(
  tx: Tx,
  { session_id: sessionId, seq }: MessageRow,
  left: Pick<MessageRow, 'content' | 'extras'>,
): Promise<void> {
  await removeWords(tx, sessionId, [seq]);
  // uses message's key
  await tx.run('update message set content = ?, extras = ? where session_id = ? and seq = ?', [
    left.content,
    left.extras,
    sessionId,
    seq,
  ]);
  // Attachments go with the last message that uses them.
  await tx.run('delete from attachment_use where session_id = ? and seq = ?', [sessionId, seq]);
}
