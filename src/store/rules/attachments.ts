// Finds an attachment by hash or index and checks whether the reader may read it.
import type { ContentBlock } from '../../contract/content-block.js';
import { mediaIn, type AttachmentSource } from '../../contract/content/media.js';
import type { AttachmentFound, AttachmentQuery } from '../../ports/store.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

/** Thousands of messages may use one hash; only the newest are checked for read access. */
const usesChecked = 1_000;

export function* readAttachment(tx: Statements, query: AttachmentQuery): Steps<AttachmentFound> {
  const { name } = query;
  const named = 'hash' in name ? yield* namedByHash(tx, query, name.hash) : yield* namedByIndex(tx, query, name);
  if ('unknown' in named) return named;
  const { hash, mediaType } = named;
  const row = yield* tx.attachmentPart(query, hash);
  if (row === undefined) return { unknown: 'attachment' };
  return { hash, mediaType: mediaType ?? row.media_type, size: row.size, bytes: row.part };
}

type Named = { hash: string; mediaType: string | null } | { unknown: 'message' | 'attachment' };

function* namedByIndex(
  tx: Statements,
  { sessionId, reader }: AttachmentQuery,
  { messageId, index }: { messageId: string; index: number },
): Steps<Named> {
  const row = yield* tx.findMessage(sessionId, messageId);
  if (row === undefined) return { unknown: 'message' };
  if (!(yield* tx.mayReadMessage(row, reader))) return { unknown: 'message' };
  const source = mediaIn(JSON.parse(row.content) as ContentBlock[])
    .map((block) => block.source)
    .find((known): known is AttachmentSource => known.type === 'attachment' && known.index === index);
  return source === undefined ? { unknown: 'attachment' } : { hash: source.hash, mediaType: source.mediaType };
}

function* namedByHash(tx: Statements, query: AttachmentQuery, hash: string): Steps<Named> {
  const { sessionId, reader } = query;
  if (reader.kind === 'all') return { hash, mediaType: null };
  const isReadable = yield* tx.mayReadUse({ sessionId, hash, limit: usesChecked }, reader);
  return isReadable ? { hash, mediaType: null } : { unknown: 'attachment' };
}
