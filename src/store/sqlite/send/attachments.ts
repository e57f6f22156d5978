// Attachment data: written in the transaction of the message, read in parts by those who may read the message.
import type { Reader } from '../../../ports/caller.js';
import type { AttachmentBytes, AttachmentData, AttachmentQuery, Store } from '../../../ports/store.js';
import type { MessageRow } from '../../rows/message-row.js';
import type { AttachmentPart, AttachmentUses, MessageKey } from '../../rules/statements.js';
import { mayReadRow, type ReadableRow } from '../history/reading-rights.js';
import type { Tx } from '../writer/transaction.js';

export function saveAttachments(tx: Tx, { sessionId, seq }: MessageKey, attachments: readonly AttachmentBytes[]): void {
  for (const { hash, mediaType, bytes } of attachments) {
    // uses attachment_by_hash; checked first, so that known data is not bound again
    const known = tx.get('select 1 from attachment where session_id = ? and hash = ?', [sessionId, hash]);
    if (known === undefined) {
      tx.run('insert into attachment (session_id, hash, media_type, data) values (?, ?, ?, ?)', [
        sessionId,
        hash,
        mediaType,
        bytes,
      ]);
      tx.attachmentBytes += bytes.length;
    }
    tx.run('insert into attachment_use (session_id, seq, hash) values (?, ?, ?)', [sessionId, seq, hash]);
  }
}

export function attachmentPart(tx: Tx, query: AttachmentQuery, hash: string): AttachmentPart | undefined {
  // uses attachment_by_hash
  const row = tx.get<AttachmentPart>(
    `select length(data) as size, media_type, substr(data, ?, ?) as part from attachment where session_id = ? and hash = ?`,
    [query.offset + 1, query.length, query.sessionId, hash],
  );
  if (row !== undefined) tx.transfer(row.part);
  return row;
}

export function mayReadUse(tx: Tx, { sessionId, hash, limit }: AttachmentUses, reader: Reader): boolean {
  // uses attachment_use_by_hash and message_by_seq
  const uses = tx.all<ReadableRow>(
    `select m.n, m.session_id, m.seq, m.sender, m.thread_id, m.recipients
     from attachment_use u join message m on m.session_id = u.session_id and m.seq = u.seq
     where u.session_id = ? and u.hash = ? order by u.seq desc limit ?`,
    [sessionId, hash, limit],
  );
  return uses.some((row) => mayReadRow(tx, row, reader));
}

export function mayReadMessage(tx: Tx, row: MessageRow, reader: Reader): boolean {
  // by message_by_seq
  const numbered = tx.get<{ n: number }>('select n from message where session_id = ? and seq = ?', [
    row.session_id,
    row.seq,
  ]);
  return numbered !== undefined && mayReadRow(tx, { ...row, ...numbered }, reader);
}

export function readAttachments(
  tx: Tx,
  { sessionId, hashes, bytesMax }: Parameters<Store['readAttachments']>[0],
): AttachmentData[] {
  const found: AttachmentData[] = [];
  let left = bytesMax;
  for (const hash of hashes) {
    // uses attachment_by_hash
    const row = tx.get<{ size: number }>(
      'select length(data) as size from attachment where session_id = ? and hash = ?',
      [sessionId, hash],
    );
    if (row === undefined || row.size > left) continue;
    left -= row.size;
    const data = tx.get<{ data: Uint8Array }>('select data from attachment where session_id = ? and hash = ?', [
      sessionId,
      hash,
    ]);
    if (data === undefined) continue;
    tx.transfer(data.data);
    found.push({ hash, bytes: data.data });
  }
  return found;
}
