// Converts blocks to MCP content and back. Blocks that MCP does not support are sent as text, with the block itself in
// _meta: lossless for a program that keeps _meta, and readable for one that does not.
import type { ContentBlock, MediaBlock } from '../content-block.js';
import { readContent } from '../content/read-content.js';
import { contentAsText } from '../text/content-as-text.js';

type Fields = Record<string, unknown>;

export type McpContent = { type: 'text' | 'image' | 'audio' | 'resource' | 'resource_link' } & Fields;

/** _meta key for what the MCP form cannot hold: the other fields of a block, or the whole block. */
const blockKey = 'coterie/block';

export function toMcpContent(blocks: readonly ContentBlock[]): McpContent[] {
  return blocks.map((block): McpContent => {
    switch (block.type) {
      case 'text': {
        const { type, text, ...rest } = block;
        return { type, text, ...(Object.keys(rest).length === 0 ? {} : packed(rest)) };
      }
      case 'image':
      case 'audio':
      case 'video':
        return mediaContent(block);
      case 'thinking':
      case 'tool_use':
      case 'tool_result':
        return { type: 'text', text: contentAsText([block]), _meta: { [blockKey]: block } };
    }
  });
}

/** Throws ContentFault for anything else than MCP content and our own blocks. */
export function fromMcpContent(content: readonly unknown[]): ContentBlock[] {
  return readContent(content.map(unpacked));
}

function mediaContent(block: MediaBlock): McpContent {
  const { source, ...rest } = block;
  if (source.type === 'url') {
    const { url, ...about } = source;
    return { type: 'resource_link', uri: url, name: url, ...mimeOf(source), ...packed({ ...rest, source: about }) };
  }
  if (source.type === 'attachment') {
    const uri = `attachment:${source.hash}`;
    return { type: 'resource_link', uri, name: uri, mimeType: source.mediaType, size: source.bytes, ...packed(block) };
  }
  const { data, mediaType, ...about } = source;
  const other = Object.keys(rest).length > 1 || Object.keys(about).length > 1 ? packed({ ...rest, source: about }) : {};
  if (block.type !== 'video') return { type: block.type, data, mimeType: mediaType, ...other };
  const resource = { uri: 'coterie:video', mimeType: mediaType, blob: data };
  return { type: 'resource', resource, ...packed({ ...rest, source: about }) };
}

function mimeOf({ mediaType }: Fields): Fields {
  return typeof mediaType === 'string' ? { mimeType: mediaType } : {};
}

const packed = (block: Fields) => ({ _meta: { [blockKey]: block } });

/** Restores the packed block and merges the fields of the MCP form into it. */
function unpacked(given: unknown): unknown {
  if (!isFields(given) || !isFields(given['_meta'])) return given;
  const { [blockKey]: kept, ...meta } = given['_meta'];
  if (!isFields(kept)) return given;
  const other = Object.keys(meta).length === 0 ? {} : { _meta: meta };
  const { type, text, data, mimeType, uri, resource } = given;
  const source = isFields(kept['source']) ? kept['source'] : {};
  switch (type) {
    case 'text':
      return 'type' in kept ? kept : { ...kept, ...other, type, text };
    case 'image':
    case 'audio':
      return { ...kept, ...other, type, source: { ...source, type: 'base64', mediaType: mimeType, data } };
    case 'resource_link':
      return { ...kept, ...other, source: source['type'] === 'url' ? { ...source, url: uri } : source };
    case 'resource':
      if (!isFields(resource)) return given;
      return { ...kept, ...other, source: { ...source, mediaType: resource['mimeType'], data: resource['blob'] } };
    default:
      return given;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
