// Takes the data out of a message's blocks, to be kept once per session, and leaves references by hash in its place.
// Here, before the store: its one writer must not spend its time on decoding and hashing what others wait behind.
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

/** How much base64 there is to take out. */
export function dataCharsIn(content: readonly ContentBlock[]): number {
  return mediaIn(content).reduce((sum, { source }) => sum + (source.type === 'base64' ? source.data.length : 0), 0);
}
