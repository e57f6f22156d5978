// The key that a command or a bridge presents: from a file or the environment, never from an argument, which other users
// see in the process list.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { HubError } from '../../contract/errors.js';
import { shellArgument } from '../../contract/shell-argument.js';
import type { Flag } from './flag.js';
import { usage } from './usage.js';

export interface KeyChoice {
  readonly text: string;
  /** Where it was given, for errors about it. */
  readonly source: string;
}

export const keyFileFlag: Flag = {
  name: 'key-file',
  value: 'FILE',
  help: 'a file with your key; or set COTERIE_KEY',
  allowed: 'a file',
  read: (value) => (value === '' ? undefined : value),
};

/** What to say to who gives a key as an argument. */
export const noKeyArgument =
  'Other users can see arguments in the process list: set COTERIE_KEY, or name a file with --key-file FILE.';

export function authorizationOf(key: KeyChoice | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key.text}` };
}

const readableByOthers = 0o077;
/** Far longer than a key. */
const bytesMax = 4_096;

/** The file overrides the variable. */
export function readKey(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): KeyChoice | undefined {
  if (file !== undefined) return checked(readKeyFile(file), `the file ${file}`);
  // Launchers set an empty variable for "none".
  const given = env['COTERIE_KEY'] || undefined;
  return given === undefined ? undefined : checked(given, 'COTERIE_KEY');
}

function readKeyFile(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { mode } = fstatSync(file);
    // A pipe is its processes' alone. Windows has no such modes.
    const isFile = fstatSync(file).isFile();
    if (isFile && process.platform !== 'win32' && (mode & readableByOthers) !== 0) throw readable(path);
    const bytes = Buffer.alloc(bytesMax + 1);
    const length = readAll(file, bytes);
    if (length > bytesMax) throw usage(`--key-file: ${path} is too long for a key.`, 'It must hold the key alone.');
    return bytes.toString('utf8', 0, length);
  } catch (cause) {
    if (cause instanceof HubError) throw cause;
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw usage(`--key-file: cannot read ${path} (${reason}).`, 'Name a file that holds the key alone.');
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readAll(file: number, bytes: Buffer): number {
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}

function readable(path: string): HubError {
  return usage(`--key-file: other users can read ${path}.`, `Make it yours alone: chmod 600 ${shellArgument(path)}`);
}

/** Whether it is a key is for the hub to say. Anything that no header can carry would be quoted in an error. */
function checked(given: string, source: string): KeyChoice {
  const text = given.trim();
  if (/^[!-~]+$/.test(text) && text.length <= bytesMax) return { text, source };
  throw new HubError(
    'KEY_INVALID',
    `There is no key in ${source}: ${text === '' ? 'it is empty' : 'it has spaces, line breaks or other characters'}.`,
    {
      hint: 'Copy the whole key, coterie_…, and nothing else.',
      details: { reason: 'malformed' },
    },
  );
}
