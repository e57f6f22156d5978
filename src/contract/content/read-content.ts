// Parses content into our blocks: known spellings are normalized, unknown fields are kept, and the first error names
// its path. Sizes are checked first: lists are counted and data is measured before their contents are read.
import type { ContentBlock, MediaBlock, MediaSource, ResultPart } from '../content-block.js';
import { limits } from '../limits.js';
import { blockOfMcp, isMcpOnly } from '../bridges/mcp-blocks.js';
import { bytesIn, isBase64 } from './base64.js';
import { ContentFault, type FaultPath } from './fault.js';

type Fields = Record<string, unknown>;

const blockTypes = ['text', 'image', 'audio', 'video', 'thinking', 'tool_use', 'tool_result'] as const;
const partTypes = ['text', 'image', 'audio', 'video'] as const;

export interface ReadOptions {
  /** Whether a source may refer to an attachment that the hub has stored. */
  mayRefer?: boolean;
}

/** A string or a list of blocks; always a list of blocks afterwards. Throws ContentFault. */
export function readContent(given: unknown, { mayRefer = false }: ReadOptions = {}): ContentBlock[] {
  if (typeof given === 'string') return [{ type: 'text', text: given }];
  const reading = { blocksLeft: limits.contentBlocks, mayRefer };
  return takeEntries(given, reading, { path: [], expected: 'must be a string or a list of content blocks' }).map(
    (block, index) => readBlock(block, [index], reading),
  );
}

interface Reading {
  /** How many more blocks the message may have, including those in tool outputs. */
  blocksLeft: number;
  readonly mayRefer: boolean;
}

interface ListForm {
  path: FaultPath;
  expected: string;
}

function takeEntries(given: unknown, reading: Reading, { path, expected }: ListForm): readonly unknown[] {
  if (!Array.isArray(given)) throw new ContentFault(path, expected);
  if (given.length > reading.blocksLeft) {
    const counted = path.length === 0 ? `${given.length} blocks` : 'too many blocks with those before it';
    throw new ContentFault(path, `has ${counted}; a message may have ${limits.contentBlocks}`);
  }
  reading.blocksLeft -= given.length;
  return given;
}

function readBlock(given: unknown, path: FaultPath, reading: Reading): ContentBlock {
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
      return readToolResult(block, path, reading);
    case 'image':
    case 'audio':
    case 'video':
      return readMedia(block, { type, path, reading });
  }
}

function readPart(given: unknown, path: FaultPath, reading: Reading): ResultPart {
  const fields = requireFields(given, path, 'must be an object with a type');
  const block = isMcpOnly(fields) ? blockOfMcp(fields, path) : fields;
  const type = readType(block, path, partTypes);
  return type === 'text'
    ? { ...block, type, text: readText(block, 'text', path) }
    : readMedia(block, { type, path, reading });
}

function readThinking(block: Fields, path: FaultPath): ContentBlock {
  if (block['signature'] !== undefined) readText(block, 'signature', path);
  return { ...block, type: 'thinking', thinking: readText(block, 'thinking', path) };
}

function readToolUse(block: Fields, path: FaultPath): ContentBlock {
  const id = readFilled(block['id'], [...path, 'id']);
  const name = readFilled(block['name'], [...path, 'name']);
  const input = requireFields(block['input'], [...path, 'input'], 'must be an object');
  return { ...block, type: 'tool_use', id, name, input };
}

function readToolResult(given: Fields, path: FaultPath, reading: Reading): ContentBlock {
  const block = { ...given };
  const idAs = rename(block, ['tool_use_id', 'id'], 'toolUseId');
  const errorAs = rename(block, ['is_error'], 'isError');
  // Some frameworks call the output `content`.
  const outputAs = rename(block, ['content'], 'output');
  const toolUseId = readFilled(block['toolUseId'], [...path, idAs]);
  if (block['isError'] !== undefined && typeof block['isError'] !== 'boolean')
    throw new ContentFault([...path, errorAs], 'must be true or false');
  if (block['name'] !== undefined) readText(block, 'name', path);
  return {
    ...block,
    type: 'tool_result',
    toolUseId,
    output: readOutput(block['output'], [...path, outputAs], reading),
  };
}

function readOutput(given: unknown, path: FaultPath, reading: Reading): string | ResultPart[] {
  if (typeof given === 'string') return given;
  const expected = 'must be a string or a list of text, image, audio and video blocks';
  return takeEntries(given, reading, { path, expected }).map((part, index) =>
    readPart(part, [...path, index], reading),
  );
}

function readMedia<Type extends MediaBlock['type']>(
  block: Fields,
  { type, path, reading }: { type: Type; path: FaultPath; reading: Reading },
): { type: Type; source: MediaSource } {
  // In MCP, the data is a field of the block itself.
  const isFlat = block['source'] === undefined && typeof block['data'] === 'string';
  if (!isFlat) return { ...block, type, source: readSource(block['source'], [...path, 'source'], reading) };
  const { data, mimeType, ...rest } = block;
  const source = {
    type: 'base64',
    mediaType: readMediaType(mimeType, [...path, 'mimeType']),
    data: readData(data, [...path, 'data']),
  } as const;
  return { ...rest, type, source };
}

function readSource(given: unknown, path: FaultPath, { mayRefer }: Reading): MediaSource {
  const source = { ...requireFields(given, path, 'must be an object with a type') };
  if (source['type'] === 'file') throw new ContentFault([...path, 'type'], fileSource);
  if (mayRefer && source['type'] === 'attachment') return readReference(source, path);
  const type = readType(source, path, ['url', 'base64']);
  const mediaTypeAs = rename(source, ['media_type'], 'mediaType');
  if (type === 'url') return { ...source, type, url: readFilled(source['url'], [...path, 'url']) };
  const mediaType = readMediaType(source['mediaType'], [...path, mediaTypeAs]);
  return { ...source, type, mediaType, data: readData(source['data'], [...path, 'data']) };
}

/** No call reads a file of the hub's machine. */
const fileSource =
  'must be url or base64; files are read on your own machine: by coterie mcp, coterie send --attach, or fileBlock of coterie/files';

function readReference(source: Fields, path: FaultPath): MediaSource {
  const { bytes, index } = source;
  if (typeof bytes !== 'number' || typeof index !== 'number')
    throw new ContentFault(path, 'must be an attachment as the hub describes it');
  const mediaType = readMediaType(source['mediaType'], [...path, 'mediaType']);
  const hash = readFilled(source['hash'], [...path, 'hash']);
  const { fetch, ...others } = source;
  return {
    ...others,
    type: 'attachment',
    mediaType,
    hash,
    bytes,
    index,
    ...(typeof fetch === 'string' ? { fetch } : {}),
  };
}

const mediaTypeForm = /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}(?:;[ -~]{1,200})?$/;

function readMediaType(given: unknown, path: FaultPath): string {
  if (typeof given === 'string' && given.length <= 400 && mediaTypeForm.test(given)) return given;
  throw new ContentFault(path, 'must be a media type such as image/png');
}

function readData(given: unknown, path: FaultPath): string {
  if (typeof given !== 'string' || given === '') throw new ContentFault(path, 'must be base64, as a string');
  const bytes = bytesIn(given);
  if (bytes > limits.attachmentBytes)
    throw new ContentFault(path, `is ${bytes} bytes; at most ${limits.attachmentBytes} are accepted`, true);
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

function readFilled(given: unknown, path: FaultPath): string {
  if (typeof given === 'string' && given !== '') return given;
  throw new ContentFault(path, given === '' ? 'must not be empty' : 'must be a string');
}

/** Our spelling wins if both are given. Returns the caller's spelling, for the error path. */
function rename(fields: Fields, others: readonly string[], name: string): string {
  if (fields[name] !== undefined) return name;
  const written = others.find((other) => fields[other] !== undefined);
  if (written === undefined) return name;
  fields[name] = fields[written];
  delete fields[written];
  return written;
}
