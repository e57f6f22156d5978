// Opens the one database file of a data folder: durable settings first, then migrations.
import { join } from 'node:path';
import { HubError } from '../../contract/errors.js';
import { loadMigrations, missingMigrations } from '../apply-migrations.js';
import { checkpointByItself } from './checkpoint.js';
import { openDatabase, pageBytes, type Database } from './driver.js';

export const databaseFile = 'coterie.db';

export interface OpenOptions {
  folder: string;
  /** Refuse to grow beyond this; for operators who share a disk. */
  storeMaxBytes: number | null;
}

export function databasePathIn(folder: string): string {
  return join(folder, databaseFile);
}

export function openStoreDatabase({ folder, storeMaxBytes }: OpenOptions): Database {
  const path = databasePathIn(folder);
  let database: Database | undefined;
  try {
    database = openDatabase(path);
    // FULL is set explicitly: drivers default WAL to NORMAL, which may lose the last commits at power loss.
    database.exec(`pragma page_size = ${pageBytes}; pragma journal_mode = wal; pragma synchronous = full;
      pragma ${checkpointByItself}; pragma cache_size = -65536; pragma busy_timeout = 5000;
      pragma temp_store = memory;`);
    if (storeMaxBytes !== null) database.exec(`pragma max_page_count = ${Math.ceil(storeMaxBytes / pageBytes)}`);
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof HubError) throw error;
    throw new HubError(
      'DATA_NOT_WRITABLE',
      `Cannot open ${path}: ${error instanceof Error ? error.message : String(error)}`,
      {
        hint: 'Give --data a folder this user can write, with free space.',
        details: { path },
        cause: error,
      },
    );
  }
}

function migrate(database: Database): void {
  const row = database.prepare('pragma user_version').get() as { user_version: number };
  for (const migration of missingMigrations(loadMigrations('sqlite'), row.user_version)) {
    database.exec(`begin immediate; ${migration.sql}; pragma user_version = ${migration.version}; commit;`);
  }
}
