// Opens the database file of a data folder: sets the durability, then runs the migrations.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { HubError } from '../../../contract/errors.js';
import { loadMigrations, missingMigrations, type Schema } from '../../apply-migrations.js';
import { autoCheckpoint } from './checkpoint.js';
import { refuseLink } from './data-folder.js';
import { openDatabase, pageBytes, type Database } from './driver.js';
import { isDamaged } from './result-code.js';
import { storeDamaged } from './store-errors.js';

export const databaseFile = 'coterie.db';

export interface OpenOptions {
  folder: string;
  /** The maximum size of the database, for operators who share a disk. */
  storeMaxBytes: number | null;
}

export function databasePathIn(folder: string): string {
  return join(folder, databaseFile);
}

export function openStoreDatabase({ folder, storeMaxBytes }: OpenOptions): Database {
  return openWritable(folder, (database) => {
    if (storeMaxBytes !== null) database.exec(`pragma max_page_count = ${Math.ceil(storeMaxBytes / pageBytes)}`);
    migrate(database);
  });
}

/** `prepare` makes it ready for use, or refuses it; it is closed then. */
export function openWritable(folder: string, prepare: (database: Database) => void): Database {
  const path = databasePathIn(folder);
  for (const part of ['', '-wal', '-shm']) refuseLink(`${path}${part}`);
  requireDatabaseOfLog(folder);
  let database: Database | undefined;
  try {
    database = openDatabase(path);
    // FULL is set explicitly: drivers default WAL to NORMAL, which may lose the last commits at power loss.
    database.exec(`pragma page_size = ${pageBytes}; pragma journal_mode = wal; pragma synchronous = full;
      pragma ${autoCheckpoint}; pragma cache_size = -65536; pragma busy_timeout = 5000;
      pragma temp_store = memory;`);
    prepare(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof HubError) throw error;
    if (isDamaged(error)) throw malformedFile(folder, error);
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

/** A log without its database holds what was acknowledged last; SQLite would begin an empty database and drop the log. */
export function requireDatabaseOfLog(folder: string): void {
  const path = databasePathIn(folder);
  const [found, log] = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false }));
  if ((found?.size ?? 0) > 0 || (log?.size ?? 0) === 0) return;
  const state = found === undefined ? 'missing' : 'empty';
  throw storeDamaged(`${path} is ${state}, but its log ${path}-wal has ${log?.size} bytes of it.`, { folder });
}

export function malformedFile(folder: string, cause: unknown): HubError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return storeDamaged(`${databasePathIn(folder)} is damaged: ${reason}.`, { cause, folder });
}

function migrate(database: Database): void {
  for (const { version, name, sql, worksFrom } of missingMigrations(loadMigrations('sqlite'), schemaOf(database))) {
    database.exec(`begin immediate;
      create table if not exists hub_schema (version integer primary key, name text not null, works_from integer not null);
      ${sql};
      insert into hub_schema (version, name, works_from) values (${version}, '${name}', ${worksFrom});
      pragma user_version = ${version}; commit;`);
  }
}

export function schemaOf(database: Database): Schema {
  const { user_version: version } = database.prepare('pragma user_version').get() as { user_version: number };
  return { version, worksFrom: worksFromOf(database, version) ?? version };
}

/** Undefined if it was not declared: then only hubs that know the version may use the database. */
function worksFromOf(database: Database, version: number): number | undefined {
  if (database.prepare("select 1 from sqlite_schema where name = 'hub_schema'").get() === undefined) return undefined;
  const row = database.prepare('select works_from from hub_schema where version = ?').get(version);
  return (row as { works_from: number } | undefined)?.works_from;
}
