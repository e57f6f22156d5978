// doctor's check of the database of a folder whose hub does not run.
import { checkDatabase } from '../../store/sqlite/writer/check-database.js';
import { shortPath } from '../show/short-path.js';
import type { Check } from './check-setup.js';

export function* checkStoppedStore(folder: string): Generator<Check> {
  const found = checkDatabase(folder);
  if (found === undefined) return;
  const { bytes, faults } = found;
  const megabytes = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  if (faults.length === 0) {
    yield { name: 'store', state: 'ok', says: `the database is intact (${megabytes})` };
    return;
  }
  const says = `the database in ${shortPath(folder)} is damaged: ${faults.join('; ').replaceAll(/\s+/g, ' ')}`;
  const fix =
    'Start no hub on it. Keep a copy of the folder, then put a backup in its place as coterie.db, without the old coterie.db-wal.';
  yield { name: 'store', state: 'wrong', says, fix };
}
