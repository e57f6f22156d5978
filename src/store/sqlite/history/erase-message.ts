// Erases what a message says.
import type { MessageRow } from '../../rows/message-row.js';
import { replaceWords } from '../search/search-index.js';
import type { Tx } from '../writer/transaction.js';

/** The old text is overwritten in the database file. The log still has it until it is reset. */
export function eraseMessage(tx: Tx, row: MessageRow, left: Pick<MessageRow, 'content' | 'extras'>): void {
  const { session_id: sessionId, seq } = row;
  // uses message_by_seq
  const numbered = tx.get<{ n: number }>('select n from message where session_id = ? and seq = ?', [sessionId, seq]);
  if (numbered === undefined) throw new Error(`message ${seq} vanished inside its own transaction`);
  tx.set('secure_delete = on');
  try {
    replaceWords(tx, { ...row, ...numbered }, left);
    tx.run('update message set content = ?, extras = ? where n = ? and session_id = ?', [
      left.content,
      left.extras,
      numbered.n,
      sessionId,
    ]);
    // Attachments go with the last message that uses them.
    tx.run('delete from attachment_use where session_id = ? and seq = ?', [sessionId, seq]);
  } finally {
    tx.set('secure_delete = off');
  }
}
