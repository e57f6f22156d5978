// One hub per data folder: an operating-system lock that ends with the process, and a file that names the holder.
import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HubError } from '../../../contract/errors.js';
import { shellArgument } from '../../../contract/shell-argument.js';
import type { Database } from './driver.js';
import { isFileLocked, takeFileLock } from './file-lock.js';

const lockFile = 'hub.lock';
/** Held while a hub starts. */
const claimFile = 'hub.claim';
const noteFile = 'hub.json';
const noteBytesMax = 1_000;

export interface HubNote {
  pid: number;
  url: string;
}

export class DataFolder {
  readonly path: string;
  readonly #lock: Database;

  private constructor(path: string, lock: Database) {
    this.path = path;
    this.#lock = lock;
  }

  static claim(path: string): DataFolder {
    makeDataFolder(path);
    // One start at a time: the note of a hub that was faster must not be removed.
    const claim = takeLock(path, claimFile);
    try {
      // Before the lock is held: what a killed hub left, or what came with the folder, must not be taken for this hub's.
      if (!isLocked(path)) rmSync(join(path, noteFile), { force: true });
      return new DataFolder(path, takeLock(path, lockFile));
    } finally {
      claim.close();
    }
  }

  noteHub(note: HubNote): void {
    replaceFile(join(this.path, noteFile), `${JSON.stringify(note)}\n`);
  }

  release(): void {
    rmSync(join(this.path, noteFile), { force: true });
    this.#lock.close();
  }
}

/** For this user alone: it holds everybody's messages. */
export function makeDataFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw notWritable(path, cause);
  }
}

/** Never writes through a link, which may have come with the folder. */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    renameSync(draft, file);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw notWritable(dirname(file), cause);
  }
}

/** A link may have come with the folder, and lead to files of others or to the database of another hub. */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new HubError('DATA_NOT_WRITABLE', `${path} is a link; a hub's data must lie in its own folder.`, {
    hint: 'Remove the link, or name the folder it leads to with --data DIR.',
    details: { path },
  });
}

/** What the folder says of its hub. It proves nothing: believe it only with a held lock, in a folder of the user's own. */
export function readHubNote(path: string): HubNote | undefined {
  const file = join(path, noteFile);
  try {
    const found = lstatSync(file);
    if (!found.isFile() || found.size > noteBytesMax) return undefined;
    const note: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof note !== 'object' || note === null || !('pid' in note) || !('url' in note)) return undefined;
    return typeof note.pid === 'number' && typeof note.url === 'string' ? { pid: note.pid, url: note.url } : undefined;
  } catch {
    return undefined;
  }
}

/** True while a hub holds the folder. Does not keep one from starting. */
export function isLocked(path: string): boolean {
  return isFileLocked(lockFileOf(path));
}

export function lockFileOf(path: string): string {
  return join(path, lockFile);
}

function takeLock(path: string, file: string): Database {
  let lock: Database | undefined;
  try {
    lock = takeFileLock(join(path, file));
  } catch (cause) {
    throw notWritable(path, cause);
  }
  if (lock === undefined) throw inUse(path);
  return lock;
}

function inUse(path: string): HubError {
  const note = readHubNote(path);
  const [holder, use] =
    note === undefined
      ? [' by another hub', 'Use that hub']
      : [
          `: its hub runs already, with pid ${note.pid} at ${note.url}`,
          `Agents can connect to it (${note.url}/ shows how)`,
        ];
  return new HubError('DATA_IN_USE', `The data folder ${path} is in use${holder}.`, {
    hint: `${use}. To end it: coterie stop --data ${shellArgument(path)}. Or choose another --data folder.`,
    details: { ...note },
  });
}

function notWritable(path: string, cause: unknown): HubError {
  return new HubError(
    'DATA_NOT_WRITABLE',
    `Cannot write the data folder ${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      hint: 'Give --data a folder this user can write, with free space.',
      details: { path },
      cause,
    },
  );
}
