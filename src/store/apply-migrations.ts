// Which migrations a database still needs, and which hubs may use it. Both stores share these rules; each runs the
// migrations itself.
import { readdirSync, readFileSync } from 'node:fs';
import { HubError } from '../contract/errors.js';

export interface Migration {
  version: number;
  name: string;
  sql: string;
  /** The oldest schema version that hubs must know to work on this schema. */
  worksFrom: number;
  /** Builds indexes on PostgreSQL while hubs write, which is impossible in a transaction. */
  runsAlone: boolean;
}

/** The schema of a database; zeros when it is empty. */
export interface Schema {
  version: number;
  /** As its last migration declares. */
  worksFrom: number;
}

/** The numbered .sql files of one dialect, in order. */
export function loadMigrations(dialect: 'sqlite' | 'postgres'): Migration[] {
  const folder = new URL(`../../migrations/${dialect}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => /^\d{4}_[a-z0-9-]+\.sql$/.test(file));
  let worksFrom = 0;
  return files.toSorted().map((file) => {
    const version = Number(file.slice(0, 4));
    const sql = readFileSync(new URL(file, folder), 'utf8');
    // Monotonic: a later migration cannot admit hubs that an earlier one excluded.
    worksFrom = Math.max(worksFrom, worksFromOf(sql) ?? version);
    return { version, name: file.slice(5, -4), sql, worksFrom, runsAlone: /^-- Runs alone$/m.test(sql) };
  });
}

/** Declared in the first line. Without it, all hubs of earlier versions are excluded. */
function worksFromOf(sql: string): number | undefined {
  const declared = /^-- Works for hubs from: (\d+)\n/.exec(sql)?.[1];
  return declared === undefined ? undefined : Number(declared);
}

export function newestOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/**
 * The migrations to apply. None if the database is newer than this release and still compatible with it. An incompatible
 * newer database is refused and not changed.
 */
export function missingMigrations(migrations: readonly Migration[], { version, worksFrom }: Schema): Migration[] {
  const newest = newestOf(migrations);
  if (version > newest && worksFrom > newest) {
    throw new HubError(
      'DATABASE_NEWER',
      `The database has schema version ${version}, which needs a release that knows version ${worksFrom}; this one knows ${newest}.`,
      {
        hint: 'Run the newer release of coterie that wrote it, or restore a backup from before the upgrade.',
        details: { databaseVersion: version, worksFrom, knownVersion: newest },
      },
    );
  }
  return migrations.filter((migration) => migration.version > version);
}
