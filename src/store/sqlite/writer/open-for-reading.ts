// Opens the database of a data folder read-only, in one snapshot. A hub may be running on it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HubError } from '../../../contract/errors.js';
import { loadMigrations, missingMigrations } from '../../apply-migrations.js';
import { openDatabase, type Database } from './driver.js';
import { databaseFile, malformedFile, schemaOf } from './open.js';
import { isDamaged } from './result-code.js';

/** Begins a transaction, so that all reads see the same snapshot, whatever the hub commits meanwhile. */
export function openForReading(folder: string): Database {
  const path = requireDatabaseIn(folder);
  let database: Database | undefined;
  try {
    database = openDatabase(path, { readOnly: true });
    database.exec('pragma busy_timeout = 5000; begin');
    // The first read takes the snapshot.
    if (missingMigrations(loadMigrations('sqlite'), schemaOf(database)).length > 0) throw older(folder);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof HubError) throw error;
    if (isDamaged(error)) throw malformedFile(folder, error);
    const reason = error instanceof Error ? error.message : String(error);
    throw new HubError('USAGE', `Cannot read ${path}: ${reason}`, {
      hint: 'Give a data folder that this user may read and write: SQLite keeps its locks in it.',
      details: { path },
      cause: error,
    });
  }
}

/** Its path. */
export function requireDatabaseIn(folder: string): string {
  const path = join(folder, databaseFile);
  if (existsSync(path)) return path;
  throw new HubError('USAGE', `There is no ${databaseFile} in '${folder}'.`, {
    hint: 'Give the data folder of a hub: the value of --data of `coterie serve`.',
    details: { path },
  });
}

function older(folder: string): HubError {
  return new HubError('USAGE', `The database in '${folder}' was written by an older release.`, {
    hint: `Run a hub of this release on it once: coterie serve --data ${folder}`,
  });
}
