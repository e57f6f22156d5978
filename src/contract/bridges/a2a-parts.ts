// Converts blocks to the parts of an A2A message (0.3) and back; parts of 1.0, which have no kind, are read too.
// Every A2A part has metadata, so the conversion is lossless in both directions.
import type { ContentBlock, MediaBlock } from '../content-block.js';
import { ContentFault } from '../content/fault.js';
import { readContent } from '../content/read-content.js';

type Fields = Record<string, unknown>;

export type A2aPart = { kind: 'text' | 'file' | 'data'; metadata?: Fields } & Fields;

/** Metadata key for the fields that the part has no place for. */
const blockKey = 'coterie/block';

export function toA2aParts(blocks: readonly ContentBlock[]): A2aPart[] {
  return blocks.map((block): A2aPart => {
    switch (block.type) {
      case 'text': {
        const { type: kind, text, ...rest } = block;
        return { kind, text, ...(Object.keys(rest).length === 0 ? {} : packed(rest)) };
      }
      case 'thinking': {
        const { thinking, ...rest } = block;
        return { kind: 'text', text: thinking, ...packed(rest) };
      }
      case 'tool_use':
      case 'tool_result': {
        const { type, ...data } = block;
        return { kind: 'data', data, ...packed({ type }) };
      }
      case 'image':
      case 'audio':
      case 'video':
        return mediaPart(block);
    }
  });
}

/** Throws ContentFault for an invalid part, and for content that blocks do not support. */
export function fromA2aParts(parts: readonly unknown[]): ContentBlock[] {
  return readContent(parts.map((part, index) => blockOf(part, index)));
}

function mediaPart(block: MediaBlock): A2aPart {
  const { source, ...rest } = block;
  if (source.type === 'url') {
    const { url, ...about } = source;
    const mimeType = typeof source['mediaType'] === 'string' ? { mimeType: source['mediaType'] } : {};
    return { kind: 'file', file: { uri: url, ...mimeType }, ...packed({ ...rest, source: about }) };
  }
  if (source.type === 'attachment') {
    const file = { uri: `attachment:${source.hash}`, mimeType: source.mediaType };
    return { kind: 'file', file, ...packed(block) };
  }
  const { data, mediaType, ...about } = source;
  return { kind: 'file', file: { bytes: data, mimeType: mediaType }, ...packed({ ...rest, source: about }) };
}

const packed = (block: Fields) => ({ metadata: { [blockKey]: block } });

function blockOf(part: unknown, index: number): Fields {
  if (!isFields(part)) throw new ContentFault([index], 'must be an A2A part');
  const metadata = isFields(part['metadata']) ? part['metadata'] : {};
  const { [blockKey]: given, ...others } = metadata;
  const kept = isFields(given) ? given : {};
  const rest = Object.keys(others).length === 0 ? kept : { ...kept, metadata: others };
  const { text, data } = part;
  if (typeof text === 'string') {
    return kept['type'] === 'thinking' ? { ...rest, thinking: text } : { ...rest, type: 'text', text };
  }
  if (isFields(data)) return dataBlock(data, kept, rest);
  return fileBlock(fileOf(part, index), rest, index);
}

/** Data that is not from a tool becomes JSON text. */
function dataBlock(data: Fields, kept: Fields, rest: Fields): Fields {
  if (kept['type'] === 'tool_use' || kept['type'] === 'tool_result') return { ...data, type: kept['type'] };
  return { ...rest, type: 'text', text: JSON.stringify(data), data };
}

interface File {
  mediaType: unknown;
  uri: unknown;
  bytes: unknown;
  name: unknown;
}

/** In 0.3 the file is a nested object, in 1.0 it is the part itself. */
function fileOf(part: Fields, index: number): File {
  const { file } = part;
  if (isFields(file))
    return { mediaType: file['mimeType'], uri: file['uri'], bytes: file['bytes'], name: file['name'] };
  if (part['url'] === undefined && part['raw'] === undefined)
    throw new ContentFault([index], 'must be a text, file or data part');
  return { mediaType: part['mediaType'], uri: part['url'], bytes: part['raw'], name: part['filename'] };
}

function fileBlock({ mediaType, uri, bytes, name }: File, rest: Fields, index: number): Fields {
  const kept = isFields(rest['source']) ? rest['source'] : {};
  const named = name === undefined ? {} : { name };
  const type = rest['type'] ?? (typeof mediaType === 'string' ? mediaType.replace(/\/.*/s, '') : undefined);
  if (type !== 'image' && type !== 'audio' && type !== 'video') {
    if (typeof uri === 'string') return { ...rest, ...named, type: 'text', text: uri };
    throw new ContentFault([index, 'file', 'bytes'], 'is supported only for images, audio and video');
  }
  if (kept['type'] === 'attachment') return { ...rest, type, source: kept };
  const media = mediaType === undefined ? {} : { mediaType };
  const source = bytes === undefined ? { type: 'url', url: uri, ...media } : { type: 'base64', ...media, data: bytes };
  return { ...rest, ...named, type, source: { ...kept, ...source } };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
