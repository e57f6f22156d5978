// Attachment data: written in the transaction of the message, read in parts by those who may read the message.
import type { Reader } from '../../../ports/caller.js';
import type { AttachmentBytes, AttachmentData, AttachmentQuery, Store } from '../../../ports/store.js';
import type { MessageRow } from '../../rows/message-row.js';
import type { AttachmentPart, AttachmentUses, MessageKey } from '../../rules/statements.js';
import { readableRows } from '../history/reading-rights.js';
import type { Tx } from '../connection/transaction.js';

/** The maximum of the parameter type; no attachment is that long. */
const integerMax = 2 ** 31 - 1;

export async function saveAttachments(
  tx: Tx,
  { sessionId, seq }: MessageKey,
  attachments: readonly AttachmentBytes[],
): Promise<void> {
  const hashes = attachments.map(({ hash }) => hash);
  // uses attachment's key; checked first, so that known data is not sent again
  const known = await tx.all<{ hash: string }>(
    'select hash from attachment where session_id = ? and hash = any(?::text[])',
    [sessionId, hashes],
  );
  for (const { hash, mediaType, bytes } of attachments) {
    if (known.some((stored) => stored.hash === hash)) continue;
    await tx.run(
      `insert into attachment (session_id, hash, media_type, data) values (?, ?, ?, ?)
       on conflict (session_id, hash) do nothing`,
      [sessionId, hash, mediaType, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
    );
  }
  await tx.run('insert into attachment_use (session_id, seq, hash) select ?, ?, unnest(?::text[])', [
    sessionId,
    seq,
    hashes,
  ]);
}

export async function attachmentPart(
  tx: Tx,
  query: AttachmentQuery,
  hash: string,
): Promise<AttachmentPart | undefined> {
  // uses attachment's key
  return tx.get<AttachmentPart>(
    `select octet_length(data) as size, media_type, substring(data from ?::integer for ?::integer) as part
     from attachment where session_id = ? and hash = ?`,
    [Math.min(query.offset + 1, integerMax), query.length, query.sessionId, hash],
  );
}

export async function mayReadUse(tx: Tx, { sessionId, hash, limit }: AttachmentUses, reader: Reader): Promise<boolean> {
  // uses attachment_use_by_hash and message's key
  const uses = await tx.all<Pick<MessageRow, 'session_id' | 'seq' | 'sender' | 'thread_id' | 'recipients'>>(
    `select m.session_id, m.seq, m.sender, m.thread_id, m.recipients
     from attachment_use u join message m on m.session_id = u.session_id and m.seq = u.seq
     where u.session_id = ? and u.hash = ? order by u.seq desc limit ?`,
    [sessionId, hash, limit],
  );
  return (await readableRows(tx, { sessionId, reader }, uses)).length > 0;
}

export async function mayReadMessage(tx: Tx, row: MessageRow, reader: Reader): Promise<boolean> {
  return (await readableRows(tx, { sessionId: row.session_id, reader }, [row])).length > 0;
}

export async function readAttachments(
  tx: Tx,
  { sessionId, hashes, bytesMax }: Parameters<Store['readAttachments']>[0],
): Promise<AttachmentData[]> {
  // uses attachment's key, once per hash; the size is known without the data
  const sizes = await tx.all<{ hash: string; size: number }>(
    'select hash, octet_length(data) as size from attachment where session_id = ? and hash = any(?::text[])',
    [sessionId, hashes],
  );
  const sizeOf = new Map(sizes.map(({ hash, size }) => [hash, size]));
  let left = bytesMax;
  const chosen = hashes.filter((hash) => {
    const size = sizeOf.get(hash);
    if (size === undefined || size > left) return false;
    left -= size;
    return true;
  });
  if (chosen.length === 0) return [];
  const found = await tx.all<{ hash: string; data: Uint8Array }>(
    'select hash, data from attachment where session_id = ? and hash = any(?::text[])',
    [sessionId, chosen],
  );
  const dataOf = new Map(found.map(({ hash, data }) => [hash, data]));
  return chosen.flatMap((hash) => {
    const bytes = dataOf.get(hash);
    return bytes === undefined ? [] : [{ hash, bytes }];
  });
}
