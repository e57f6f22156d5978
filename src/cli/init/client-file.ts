// A file of a client: read, replaced in one step, or removed. A link stays a link: what it leads to is replaced.
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, isAbsolute } from 'node:path';
import { HubError } from '../../contract/errors.js';
import { NotEditable } from './edit/text.js';

/** Far larger than any settings. */
const bytesMax = 2_000_000;
const ownerMayWrite = 0o200;

/** Null if there is none. Refuses what could not be written back as it was. */
export function readClientFile(path: string): string | null {
  const found = statOf(path);
  if (found === undefined) return null;
  if (!found.isFile()) throw notEditable(path, 'it is not a file', 'Move it away.');
  if (found.size > bytesMax)
    throw notEditable(path, `it has more than ${bytesMax} bytes`, 'Edit it by hand: coterie connect.');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (cause) {
    if (cause instanceof TypeError) throw notEditable(path, 'it is not UTF-8', 'Save it as UTF-8, and run this again.');
    throw notEditable(path, `it cannot be read (${codeOf(cause)})`, 'Check who owns it.');
  }
}

/** Where it really is; of a file that is not there, its place in the real folder. `within` is a folder it must not lead out of. */
export function realPath(path: string, within?: string): string {
  const real = resolved(path);
  if (within === undefined) return real;
  const inside = relative(resolved(within), real);
  if (!inside.startsWith('..') && !isAbsolute(inside)) return real;
  throw notEditable(path, `it is a link to ${real}, outside of the project`, 'Remove the link.');
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw notEditable(path, 'it is a link to a file that does not exist', 'Remove the link.');
    const parent = dirname(path);
    return parent === path ? path : join(resolved(parent), basename(path));
  }
}

export function requireWritable(path: string): void {
  const found = statOf(path);
  if (found === undefined || (found.mode & ownerMayWrite) !== 0) return;
  throw notEditable(path, 'it is read-only', 'Make it writable, and run this again. Nothing was changed.');
}

/** Those that have to be made for it, the innermost first. */
export function missingFolders(path: string): string[] {
  const folder = dirname(path);
  return existsSync(folder) || dirname(folder) === folder ? [] : [folder, ...missingFolders(folder)];
}

/** Null removes it, and these folders if they are empty then. */
export function writeClientFile(path: string, text: string | null, folders: readonly string[] = []): void {
  if (text === null) {
    rmSync(path, { force: true });
    removeEmpty(folders);
    return;
  }
  const draft = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const before = statOf(path);
    writeFileSync(draft, text, { flag: 'wx', ...(before === undefined ? {} : { mode: before.mode }) });
    if (before !== undefined) {
      // The mask of this process must not change it.
      chmodSync(draft, before.mode);
      if (process.getuid?.() !== before.uid) chownSync(draft, before.uid, before.gid);
    }
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw notEditable(
      path,
      `it cannot be written (${codeOf(cause)})`,
      'Check who owns it and its folder, and the disk.',
    );
  }
}

function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {
    // Something else is in it.
  }
}

/** Names the file and the line of what could not be edited. */
export function inFile<T>(path: string, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error;
    throw notEditable(
      `${path}, line ${error.line}`,
      error.message,
      'Mend that line and run this again, or see coterie connect for what to put there. Nothing was changed.',
    );
  }
}

function notEditable(path: string, problem: string, hint: string): HubError {
  return new HubError('FILE_NOT_EDITABLE', `${path}: ${problem}.`, { hint, details: { path } });
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw notEditable(path, `it cannot be looked at (${codeOf(cause)})`, 'Check who owns it.');
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
