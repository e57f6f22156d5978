// Content as callers give it becomes our blocks: other spellings respelled, every other field kept, and the first fault
// named by its path. Bounds come before work: a list is counted and data measured before anything in it is looked at.
import type { ContentBlock, MediaBlock, MediaSource, ResultPart } from '../content-block.js';
import { limits } from '../limits.js';
import { blockOfMcp, isMcpOnly } from '../bridges/mcp-blocks.js';
import { bytesIn, isBase64 } from './base64.js';
import { ContentFault, type FaultPath } from './fault.js';

type Fields = Record<string, unknown>;

const blockTypes = ['text', 'image', 'audio', 'video', 'thinking', 'tool_use', 'tool_result'] as const;
const partTypes = ['text', 'image', 'audio', 'video'] as const;

/** A string or a list of blocks; always a list of blocks afterwards. Throws ContentFault. */
export function readContent(given: unknown): ContentBlock[] {
  if (typeof given === 'string') return [{ type: 'text', text: given }];
  const blocks = readList(given, [], { left: limits.contentBlocks }, 'must be a string or a list of content blocks');
  return blocks;
}

/** How many blocks may still come, those inside tool outputs included. */
interface Room {
  left: number;
}

function readList(given: unknown, path: FaultPath, room: Room, expected: string): ContentBlock[] {
  return entriesWithin(given, path, room, expected).map((block, index) => readBlock(block, [...path, index], room));
}

function entriesWithin(given: unknown, path: FaultPath, room: Room, expected: string): readonly unknown[] {
  if (!Array.isArray(given)) throw new ContentFault(path, expected);
  if (given.length > room.left) {
    const counted = path.length === 0 ? `${given.length} blocks` : 'too many blocks with those before it';
    throw new ContentFault(path, `has ${counted}; a message may have ${limits.contentBlocks}`);
  }
  room.left -= given.length;
  return given;
}

function readBlock(given: unknown, path: FaultPath, room: Room): ContentBlock {
  const fields = requireFields(given, path, 'must be an object with a type');
  const block = isMcpOnly(fields) ? blockOfMcp(fields, path) : fields;
  const type = readType(block, path, blockTypes);
  switch (type) {
    case 'text':
      return { ...block, type, text: readText(block, 'text', path) };
    case 'thinking':
      return readThinking(block, path);
    case 'tool_use':
      return readToolUse(block, path);
    case 'tool_result':
      return readToolResult(block, path, room);
    case 'image':
    case 'audio':
    case 'video':
      return readMedium(block, type, path);
  }
}

function readPart(given: unknown, path: FaultPath): ResultPart {
  const fields = requireFields(given, path, 'must be an object with a type');
  const block = isMcpOnly(fields) ? blockOfMcp(fields, path) : fields;
  const type = readType(block, path, partTypes);
  return type === 'text' ? { ...block, type, text: readText(block, 'text', path) } : readMedium(block, type, path);
}

function readThinking(block: Fields, path: FaultPath): ContentBlock {
  if (block['signature'] !== undefined) readText(block, 'signature', path);
  return { ...block, type: 'thinking', thinking: readText(block, 'thinking', path) };
}

function readToolUse(block: Fields, path: FaultPath): ContentBlock {
  const id = readFilled(block, 'id', path);
  const name = readFilled(block, 'name', path);
  const input = requireFields(block['input'], [...path, 'input'], 'must be an object');
  return { ...block, type: 'tool_use', id, name, input };
}

function readToolResult(given: Fields, path: FaultPath, room: Room): ContentBlock {
  const block = { ...given };
  const idAs = rename(block, ['tool_use_id', 'id'], 'toolUseId');
  const errorAs = rename(block, ['is_error'], 'isError');
  // Some call the output content, as they call that of a message.
  const outputAs = rename(block, ['content'], 'output');
  const toolUseId = readFilled(block, 'toolUseId', path, idAs);
  if (block['isError'] !== undefined && typeof block['isError'] !== 'boolean')
    throw new ContentFault([...path, errorAs], 'must be true or false');
  if (block['name'] !== undefined) readText(block, 'name', path);
  return { ...block, type: 'tool_result', toolUseId, output: readOutput(block['output'], [...path, outputAs], room) };
}

function readOutput(given: unknown, path: FaultPath, room: Room): string | ResultPart[] {
  if (typeof given === 'string') return given;
  const entries = entriesWithin(given, path, room, 'must be a string or a list of text, image, audio and video blocks');
  return entries.map((part, index) => readPart(part, [...path, index]));
}

function readMedium<Type extends MediaBlock['type']>(
  block: Fields,
  type: Type,
  path: FaultPath,
): { type: Type; source: MediaSource } {
  // MCP writes the data beside the type.
  const isFlat = block['source'] === undefined && typeof block['data'] === 'string';
  if (!isFlat) return { ...block, type, source: readSource(block['source'], [...path, 'source']) };
  const { data, mimeType, ...rest } = block;
  const source = {
    type: 'base64',
    mediaType: readMediaType(mimeType, [...path, 'mimeType']),
    data: readData(data, [...path, 'data']),
  } as const;
  return { ...rest, type, source };
}

function readSource(given: unknown, path: FaultPath): MediaSource {
  const source = { ...requireFields(given, path, 'must be an object with a type') };
  const type = readType(source, path, ['url', 'base64']);
  const mediaTypeAs = rename(source, ['media_type'], 'mediaType');
  if (type === 'url') return { ...source, type, url: readFilled(source, 'url', path) };
  const mediaType = readMediaType(source['mediaType'], [...path, mediaTypeAs]);
  return { ...source, type, mediaType, data: readData(source['data'], [...path, 'data']) };
}

const mediaTypeForm = /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}(?:;[ -~]{1,200})?$/;

function readMediaType(given: unknown, path: FaultPath): string {
  if (typeof given === 'string' && given.length <= 400 && mediaTypeForm.test(given)) return given;
  throw new ContentFault(path, 'must be a media type such as image/png');
}

function readData(given: unknown, path: FaultPath): string {
  if (typeof given !== 'string' || given === '') throw new ContentFault(path, 'must be base64, as text');
  const bytes = bytesIn(given);
  if (bytes > limits.attachmentBytes)
    throw new ContentFault(path, `is ${bytes} bytes; at most ${limits.attachmentBytes} are taken`, true);
  if (!isBase64(given)) throw new ContentFault(path, 'must be base64, padded and without spaces');
  return given;
}

function requireFields(given: unknown, path: FaultPath, expected: string): Fields {
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    return Object.fromEntries(Object.entries(given));
  throw new ContentFault(path, expected);
}

function readType<const Known extends readonly string[]>(block: Fields, path: FaultPath, known: Known): Known[number] {
  const type = known.find((name) => name === block['type']);
  if (type === undefined) throw new ContentFault([...path, 'type'], `must be one of ${known.join(', ')}`);
  return type;
}

function readText(block: Fields, field: string, path: FaultPath): string {
  const given = block[field];
  if (typeof given === 'string') return given;
  throw new ContentFault([...path, field], 'must be a string');
}

function readFilled(block: Fields, field: string, path: FaultPath, writtenAs = field): string {
  const given = block[field];
  if (typeof given === 'string' && given !== '') return given;
  throw new ContentFault([...path, writtenAs], given === '' ? 'must not be empty' : 'must be a string');
}

/** Our spelling wins where both are given. Returns the way the caller wrote it, for a fault's path. */
function rename(fields: Fields, others: readonly string[], name: string): string {
  if (fields[name] !== undefined) return name;
  const written = others.find((other) => fields[other] !== undefined);
  if (written === undefined) return name;
  fields[name] = fields[written];
  delete fields[written];
  return written;
}
