// One hub per data folder: an operating-system lock that ends with the process, and a file that names the holder.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HubError } from '../../../contract/errors.js';
import { openDatabase, type Database } from './driver.js';

const lockFile = 'hub.lock';
const noteFile = 'hub.json';

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
    try {
      mkdirSync(path, { recursive: true });
    } catch (cause) {
      throw notWritable(path, cause);
    }
    return new DataFolder(path, takeLock(path));
  }

  noteHub(note: HubNote): void {
    try {
      writeFileSync(join(this.path, noteFile), `${JSON.stringify(note)}\n`);
    } catch (cause) {
      throw notWritable(this.path, cause);
    }
  }

  release(): void {
    rmSync(join(this.path, noteFile), { force: true });
    this.#lock.close();
  }
}

/** The pid and URL of the hub that uses the folder; undefined when there is none or it is still starting. */
export function readHubNote(path: string): HubNote | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(join(path, noteFile), 'utf8'));
    if (typeof note !== 'object' || note === null || !('pid' in note) || !('url' in note)) return undefined;
    return typeof note.pid === 'number' && typeof note.url === 'string' ? { pid: note.pid, url: note.url } : undefined;
  } catch {
    return undefined;
  }
}

/** True when no hub uses the folder. Takes the lock briefly. */
export function isFolderFree(path: string): boolean {
  try {
    takeLock(path).close();
    return true;
  } catch {
    return false;
  }
}

/** An exclusive transaction on an empty database works as a lock on every platform of Node and ends with the process. */
function takeLock(path: string): Database {
  let lock: Database | undefined;
  try {
    lock = openDatabase(join(path, lockFile));
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = delete; begin exclusive');
    return lock;
  } catch (cause) {
    lock?.close();
    if (/locked|busy/i.test(String(cause))) throw inUse(path);
    throw notWritable(path, cause);
  }
}

function inUse(path: string): HubError {
  const note = readHubNote(path);
  const holder = note === undefined ? 'another hub' : `the hub with pid ${note.pid} at ${note.url}`;
  return new HubError('DATA_IN_USE', `The data folder ${path} is in use by ${holder}.`, {
    hint: `Use that hub, end it with: coterie stop --data ${path}, or choose another --data folder.`,
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
