// The bytes that messages refer to: written in the message's own transaction, read in parts by those who may read it.
import type { ContentBlock } from '../../../contract/content-block.js';
import { mediaIn, type AttachmentSource } from '../../../contract/content/media.js';
import type { AttachmentBytes, AttachmentData, AttachmentFound, AttachmentQuery, Store } from '../../../ports/store.js';
import { findMessage, messageColumns, type MessageRow } from '../history/message-rows.js';
import { mayReadRow } from '../history/reading-rights.js';
import type { Tx } from '../writer/transaction.js';

/** Of a hash that thousands of messages use, the newest are asked whether they let the reader in. */
const usesAsked = 1_000;

export function keepAttachments(tx: Tx, sessionId: string, seq: number, attachments: readonly AttachmentBytes[]): void {
  for (const { hash, mediaType, bytes } of attachments) {
    // uses attachment_by_hash; asked first, so that what is there already is not even bound
    const known = tx.get('select 1 from attachment where session_id = ? and hash = ?', sessionId, hash);
    if (known === undefined) {
      tx.run(
        'insert into attachment (session_id, hash, media_type, data) values (?, ?, ?, ?)',
        ...[sessionId, hash, mediaType, bytes],
      );
      tx.bytesKept += bytes.length;
    }
    tx.run('insert into attachment_use (session_id, seq, hash) values (?, ?, ?)', sessionId, seq, hash);
  }
}

export function readAttachment(tx: Tx, query: AttachmentQuery): AttachmentFound {
  const named = 'hash' in query.name ? namedByHash(tx, query, query.name.hash) : namedByPlace(tx, query, query.name);
  if ('unknown' in named) return named;
  const { hash, mediaType } = named;
  // uses attachment_by_hash
  const row = tx.get<{ size: number; media_type: string; part: Uint8Array }>(
    `select length(data) as size, media_type, substr(data, ?, ?) as part from attachment where session_id = ? and hash = ?`,
    ...[query.offset + 1, query.length, query.sessionId, hash],
  );
  if (row === undefined) return { unknown: 'attachment' };
  tx.handOver(row.part);
  return { hash, mediaType: mediaType ?? row.media_type, size: row.size, bytes: row.part };
}

type Named = { hash: string; mediaType: string | null } | { unknown: 'message' | 'attachment' };

function namedByPlace(
  tx: Tx,
  { sessionId, reader }: AttachmentQuery,
  { messageId, index }: { messageId: string; index: number },
): Named {
  const row = findMessage(tx, sessionId, messageId);
  if (row === undefined || (reader !== null && !mayReadRow(tx, row, reader))) return { unknown: 'message' };
  const source = mediaIn(JSON.parse(row.content) as ContentBlock[])
    .map((block) => block.source)
    .find((known): known is AttachmentSource => known.type === 'attachment' && known.index === index);
  return source === undefined ? { unknown: 'attachment' } : { hash: source.hash, mediaType: source.mediaType };
}

function namedByHash(tx: Tx, { sessionId, reader }: AttachmentQuery, hash: string): Named {
  if (reader === null) return { hash, mediaType: null };
  // uses attachment_use_by_hash and message_by_seq
  const uses = tx.all<MessageRow>(
    `select ${messageColumns
      .split(', ')
      .map((column) => `m.${column}`)
      .join(', ')} from attachment_use u join message m on m.session_id = u.session_id and m.seq = u.seq
     where u.session_id = ? and u.hash = ? order by u.seq desc limit ?`,
    ...[sessionId, hash, usesAsked],
  );
  return uses.some((row) => mayReadRow(tx, row, reader)) ? { hash, mediaType: null } : { unknown: 'attachment' };
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
      ...[sessionId, hash],
    );
    if (row === undefined || row.size > left) continue;
    left -= row.size;
    const data = tx.get<{ data: Uint8Array }>(
      'select data from attachment where session_id = ? and hash = ?',
      ...[sessionId, hash],
    );
    if (data === undefined) continue;
    tx.handOver(data.data);
    found.push({ hash, bytes: data.data });
  }
  return found;
}
