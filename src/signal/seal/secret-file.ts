// Where the hub's secret is kept: a variable, or a file that the first hub makes.
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { HubError } from '../../contract/errors.js';
import { shellArgument } from '../../contract/shell-argument.js';
import { secretBytes } from './hub-secret.js';

const fileBytesMax = 1_000;
const readableByOthers = 0o077;

export interface SecretPlace {
  /** COTERIE_HUB_SECRET; wins over the file. */
  text: string | null;
  file: string;
  /** False for a file that the settings name: a missing one is an error then, and not replaced. */
  mayMake: boolean;
}

export interface FoundSecret {
  secret: Uint8Array;
  /** As a person is told. */
  from: string;
  warning?: string;
}

export function findSecret({ text, file, mayMake }: SecretPlace): FoundSecret {
  if (text !== null) return { secret: parse(text, 'COTERIE_HUB_SECRET'), from: 'COTERIE_HUB_SECRET' };
  const found = read(file) ?? (mayMake ? make(file) : undefined);
  if (found === undefined) throw cannotRead(file, 'it does not exist');
  const secret = parse(found, file);
  if (process.geteuid === undefined || (statSync(file).mode & readableByOthers) === 0) return { secret, from: file };
  const warning = `Other users can read ${file}. If only the hub should: chmod 600 ${shellArgument(file)}`;
  return { secret, from: file, warning };
}

function read(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (!found.isFile() || found.size > fileBytesMax) throw new Error('it is not a file with a secret');
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw cannotRead(file, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** Of hubs that start at the same time one makes the file, whole and on disk, and the others read it. */
function make(file: string): string | undefined {
  const draft = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const handle = openSync(draft, 'wx', 0o600);
    try {
      writeSync(handle, `${randomBytes(secretBytes).toString('base64url')}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    return read(file);
  } catch (cause) {
    if (cause instanceof HubError) throw cause;
    throw cannotRead(file, `it cannot be made: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** 32 bytes as base64url, base64 or hex. Never shown in an error. */
function parse(text: string, source: string): Uint8Array {
  const value = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64url');
  if (/^[\w+/=-]{43,64}$/.test(value) && bytes.length === secretBytes) return new Uint8Array(bytes);
  throw new HubError('USAGE', `${source} does not hold a hub's secret.`, {
    hint: 'It is 32 random bytes as hex or base64url. A new one: openssl rand -hex 32',
  });
}

function cannotRead(file: string, why: string, cause?: unknown): HubError {
  return new HubError('USAGE', `The hub's secret in ${file} cannot be used: ${why}.`, {
    hint: 'Name a file of your own with --hub-secret-file, or set COTERIE_HUB_SECRET.',
    cause,
  });
}
