// Blocks with a source of type `file` get the file's data: the bridge runs on the agent's own machine, and the hub never
// reads a file. Only sources of that type ask for it; a `file:` URL stays a URL.
import { HubError } from '../contract/errors.js';
import { bytesIn } from '../contract/content/base64.js';
import { limits } from '../contract/limits.js';
import { fileBlock } from '../files/file-block.js';

type Fields = Readonly<Record<string, unknown>>;

interface Reading {
  /** The folder that files are read from; null for none. */
  readonly folder: string | null;
  /** All files of one call share the limit of one attachment, so that the call fits into a request. */
  bytesLeft: number;
}

/** `input` has message content in any of its lists. */
export async function readFileSources(input: Fields, folder: string | null): Promise<Record<string, unknown>> {
  const reading: Reading = { folder, bytesLeft: limits.attachmentBytes };
  const read: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(input)) read[field] = await readBlocks(value, field, reading);
  return read;
}

async function readBlocks(given: unknown, path: string, reading: Reading): Promise<unknown> {
  if (!Array.isArray(given)) return given;
  const blocks: unknown[] = [];
  for (const [index, block] of given.entries()) blocks.push(await readBlock(block, `${path}[${index}]`, reading));
  return blocks;
}

async function readBlock(block: unknown, path: string, reading: Reading): Promise<unknown> {
  if (!isFields(block)) return block;
  const { source, output } = block;
  if (Array.isArray(output)) return { ...block, output: await readBlocks(output, `${path}.output`, reading) };
  if (!isFields(source) || source['type'] !== 'file') return block;
  return { ...block, source: await readSource(block, { file: source['path'], path: `${path}.source`, reading }) };
}

async function readSource(
  block: Fields,
  { file, path, reading }: { file: unknown; path: string; reading: Reading },
): Promise<unknown> {
  const { folder, bytesLeft } = reading;
  if (typeof file !== 'string') throw refused(`${path}.path`, 'must be the path of a file');
  if (folder === null) throw noFolder(path);
  const { type, source } = await fileBlock(file, { folder, bytesMax: bytesLeft }).catch((error: unknown) => {
    throw error instanceof HubError ? atPath(path, error) : error;
  });
  if (type !== block['type']) throw refused(path, `is ${type}, and its block is not`);
  if (source.type === 'base64') reading.bytesLeft -= bytesIn(source.data);
  return source;
}

function isFields(given: unknown): given is Fields {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function refused(field: string, problem: string): HubError {
  return new HubError('INVALID_INPUT', `${field}: ${problem}.`, {
    hint: 'Write {"type":"image","source":{"type":"file","path":"shot.png"}}; audio and video alike.',
    details: { field },
  });
}

function atPath(field: string, { code, message, hint }: HubError): HubError {
  const more = code === 'FORBIDDEN' ? ' Another folder is allowed by coterie mcp --files DIR.' : '';
  return new HubError(code, `${field}: ${message}`, { hint: `${hint}${more}`, details: { field } });
}

/** Some clients start their servers in `/`, which would allow every file of the machine. */
function noFolder(field: string): HubError {
  return new HubError('FORBIDDEN', `${field}: this bridge was started in the root folder and reads no files.`, {
    hint: 'Start it as coterie mcp --files DIR to allow the files of a folder.',
    details: { field },
  });
}
