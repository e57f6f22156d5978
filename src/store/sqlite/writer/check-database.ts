// Examines the database of a stopped hub: what `coterie doctor` says about it.
import { statSync } from 'node:fs';
import { toHubError } from '../../../contract/errors.js';
import { openForReading } from './open-for-reading.js';
import { databasePathIn, requireDatabaseOfLog } from './open.js';
import { isDamaged } from './result-code.js';
import { storeError } from './store-errors.js';

export interface DatabaseCheck {
  bytes: number;
  /** In SQLite's words, the first few; empty if all is well. */
  faults: string[];
}

/** Beyond this only the structure is examined, not whether every index has every row. */
const fullCheckBytesMax = 256 * 1024 * 1024;
const faultsShown = 5;

/** Undefined if there is no database yet. It reads the whole file. */
export function checkDatabase(folder: string): DatabaseCheck | undefined {
  const bytes = statSync(databasePathIn(folder), { throwIfNoEntry: false })?.size ?? 0;
  try {
    requireDatabaseOfLog(folder);
    if (bytes === 0) return undefined;
    return { bytes, faults: faultsIn(folder, bytes) };
  } catch (error) {
    return { bytes, faults: [(storeError(error) ?? toHubError(error)).message] };
  }
}

function faultsIn(folder: string, bytes: number): string[] {
  const database = openForReading(folder);
  try {
    const pragma = bytes > fullCheckBytesMax ? 'quick_check' : 'integrity_check';
    const rows = database.prepare(`pragma ${pragma}(${faultsShown})`).all();
    const found = rows.flatMap((row) => Object.values(row as Record<string, unknown>).map(String));
    return found.length === 1 && found[0] === 'ok' ? [] : found;
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database.close();
  }
}
