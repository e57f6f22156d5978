// MCP content that agents forward from other servers. Images and audio have the same type in both formats; resources
// and resource links, which only MCP has, become blocks that keep their origin.
import { ContentFault, type FaultPath } from '../content/fault.js';

type Fields = Record<string, unknown>;

export function isMcpOnly({ type }: Fields): boolean {
  return type === 'resource' || type === 'resource_link';
}

/** Converts to one of our block types; the result is validated like any other block. */
export function blockOfMcp(block: Fields, path: FaultPath): Fields {
  return block['type'] === 'resource' ? ofResource(block, path) : ofLink(block, path);
}

function ofResource(block: Fields, path: FaultPath): Fields {
  const { type: _, resource, ...rest } = block;
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource))
    throw new ContentFault([...path, 'resource'], 'must be an object with a uri and text or blob');
  const { text, blob, ...named }: Fields = { ...resource };
  if (typeof named['uri'] !== 'string') throw new ContentFault([...path, 'resource', 'uri'], 'must be a string');
  if (typeof text === 'string') return { ...rest, type: 'text', text, resource: named };
  const kind = kindOf(named['mimeType']);
  if (blob === undefined) throw new ContentFault([...path, 'resource'], 'must have text or blob');
  if (kind === undefined)
    throw new ContentFault([...path, 'resource', 'blob'], 'is supported only for images, audio and video');
  return { ...rest, type: kind, source: { type: 'base64', mediaType: named['mimeType'], data: blob }, resource: named };
}

function ofLink(block: Fields, path: FaultPath): Fields {
  const { type: _, uri, mimeType, _meta: meta, annotations, ...named } = block;
  if (typeof uri !== 'string' || uri === '') throw new ContentFault([...path, 'uri'], 'must be a string');
  const kind = kindOf(mimeType);
  const rest = {
    ...(meta === undefined ? {} : { _meta: meta }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  if (kind !== undefined)
    return { ...rest, type: kind, source: { type: 'url', url: uri, mediaType: mimeType }, link: named };
  return { ...rest, type: 'text', text: uri, link: { ...named, ...(mimeType === undefined ? {} : { mimeType }) } };
}

function kindOf(mimeType: unknown): 'image' | 'audio' | 'video' | undefined {
  if (typeof mimeType !== 'string') return undefined;
  return (['image', 'audio', 'video'] as const).find((kind) => mimeType.startsWith(`${kind}/`));
}
