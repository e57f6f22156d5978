// A lock of the operating system that ends with the process: an exclusive transaction on an empty database, which works
// on every platform of Node.
import { lstatSync } from 'node:fs';
import { openDatabase, type Database } from './driver.js';
import { isBusy } from './result-code.js';

/** Longer than a look of isFileLocked() takes. */
const lookMs = 250;

/** Undefined if another process holds it. It is held until it is closed. */
export function takeFileLock(file: string): Database | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !isLockFile(file)) throw new Error(`${file} is not the empty file of a lock; remove it`);
  let lock: Database | undefined;
  try {
    lock = openDatabase(file);
    lock.exec(`pragma busy_timeout = ${lookMs}; pragma journal_mode = delete; begin exclusive`);
    return lock;
  } catch (error) {
    lock?.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Looks with a shared lock, which keeps no one from taking it. */
export function isFileLocked(file: string): boolean {
  let lock: Database | undefined;
  try {
    if (!isLockFile(file)) return false;
    lock = openDatabase(file, { readOnly: true });
    lock.exec('pragma busy_timeout = 0');
    lock.prepare('select count(*) from sqlite_schema').get();
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    lock?.close();
  }
}

/** We write nothing into it. Anything else came from someone else, and a link could lead to another's lock. */
function isLockFile(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found !== undefined && found.isFile() && found.size === 0;
}
