// Replaces inline data in a message's blocks by references; the data is stored once per session, by hash. Done before
// the store is called: decoding and hashing in its single writer would delay all other calls.
import { createHash } from 'node:crypto';
import type { ContentBlock } from '../../contract/content-block.js';
import { asAttachment, mediaIn, withSources } from '../../contract/content/media.js';
import type { AttachmentBytes } from '../../ports/store.js';
import { bytesOf } from '../history/attachment-bytes.js';

export function extractAttachments(content: readonly ContentBlock[]): {
  content: readonly ContentBlock[];
  attachments: AttachmentBytes[] | null;
} {
  const kept = new Map<string, AttachmentBytes>();
  let count = 0;
  const referring = withSources(content, (source) => {
    if (source.type !== 'base64') return source;
    const bytes = bytesOf(source.data);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (!kept.has(hash)) kept.set(hash, { hash, mediaType: source.mediaType, bytes });
    count += 1;
    return asAttachment(source, { hash, bytes: bytes.length, index: count - 1 });
  });
  return { content: referring, attachments: kept.size === 0 ? null : [...kept.values()] };
}

/** The amount of base64 data to extract. */
export function dataCharsIn(content: readonly ContentBlock[]): number {
  return mediaIn(content).reduce((sum, { source }) => sum + (source.type === 'base64' ? source.data.length : 0), 0);
}
