// The pictures, sounds and films among a message's blocks, those inside a tool's output included.
import type { ContentBlock, MediaBlock, MediaSource } from '../content-block.js';

/** Bytes that are kept beside the message: which, how many, and the call that fetches them. */
export type AttachmentSource = Extract<MediaSource, { type: 'attachment' }>;
type DataSource = Extract<MediaSource, { type: 'base64' }>;

function isMedia(block: ContentBlock): block is MediaBlock {
  return block.type === 'image' || block.type === 'audio' || block.type === 'video';
}

/** In the order in which they stand. */
export function mediaIn(blocks: readonly ContentBlock[]): MediaBlock[] {
  return blocks.flatMap((block): MediaBlock[] => {
    if (isMedia(block)) return [block];
    if (block.type !== 'tool_result' || typeof block.output === 'string') return [];
    return block.output.filter((part) => part.type !== 'text');
  });
}

/** The same blocks with other sources; the very same list when there is no medium in it, as in nearly every message. */
export function withSources(
  blocks: readonly ContentBlock[],
  change: (source: MediaSource, block: MediaBlock) => MediaSource,
): readonly ContentBlock[] {
  if (mediaIn(blocks).length === 0) return blocks;
  const changed = <Block extends MediaBlock>(block: Block): Block => ({
    ...block,
    source: change(block.source, block),
  });
  return blocks.map((block): ContentBlock => {
    if (isMedia(block)) return changed(block);
    if (block.type !== 'tool_result' || typeof block.output === 'string') return block;
    return { ...block, output: block.output.map((part) => (part.type === 'text' ? part : changed(part))) };
  });
}

/** What stands in the message once the bytes are kept beside it. `index` counts the message's attachments. */
export function asAttachment(
  source: DataSource,
  kept: { hash: string; bytes: number; index: number },
): AttachmentSource {
  const { data: _, ...rest } = source;
  return { ...rest, type: 'attachment', ...kept };
}

/** The one form in which a source with data is written. */
export function asData(source: AttachmentSource, data: string): DataSource {
  const { hash: _, bytes: __, index: ___, fetch: ____, ...rest } = source;
  return { ...rest, type: 'base64', data };
}
