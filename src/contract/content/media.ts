// The image, audio and video blocks of a message, including those in tool outputs.
import type { ContentBlock, MediaBlock, MediaSource } from '../content-block.js';

/** Data stored separately from the message: its hash, its size, and the call that fetches it. */
export type AttachmentSource = Extract<MediaSource, { type: 'attachment' }>;
type DataSource = Extract<MediaSource, { type: 'base64' }>;

function isMedia(block: ContentBlock): block is MediaBlock {
  return block.type === 'image' || block.type === 'audio' || block.type === 'video';
}

/** In order. */
export function mediaIn(blocks: readonly ContentBlock[]): MediaBlock[] {
  return blocks.flatMap((block): MediaBlock[] => {
    if (isMedia(block)) return [block];
    if (block.type !== 'tool_result' || typeof block.output === 'string') return [];
    return block.output.filter((part) => part.type !== 'text');
  });
}

/** The blocks with changed sources; the same array if there is no media, as in nearly every message. */
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

/** Replaces the data in the message once it is stored separately. `index` counts the message's attachments. */
export function asAttachment(
  source: DataSource,
  kept: { hash: string; bytes: number; index: number },
): AttachmentSource {
  const { data: _, ...rest } = source;
  return { ...rest, type: 'attachment', ...kept };
}

/** The inverse: the source with its data inline. */
export function asData(source: AttachmentSource, data: string): DataSource {
  const { hash: _, bytes: __, index: ___, fetch: ____, ...rest } = source;
  return { ...rest, type: 'base64', data };
}
