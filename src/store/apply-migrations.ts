// Which migrations a database still needs, and which hubs may work on it. The same rules for every store; running them
// is the store's part.
import { readdirSync, readFileSync } from 'node:fs';
import { HubError } from '../contract/errors.js';

export interface Migration {
  version: number;
  name: string;
  sql: string;
  /** Hubs that know the migrations up to this one can still work on what it makes. */
  worksFrom: number;
}

/** What a database says of itself; zeros when it is empty. */
export interface Schema {
  version: number;
  /** What its last migration says. */
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
    // Whom an earlier one ends the work of, no later one lets in again.
    worksFrom = Math.max(worksFrom, worksFromOf(sql) ?? version);
    return { version, name: file.slice(5, -4), sql, worksFrom };
  });
}

/** Said in the first line. One that does not say it ends the work of all hubs before it. */
function worksFromOf(sql: string): number | undefined {
  const said = /^-- Works for hubs from: (\d+)\n/.exec(sql)?.[1];
  return said === undefined ? undefined : Number(said);
}

export function newestOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/**
 * What is missing. Nothing is in a database ahead of this release, which may work on it if all that was added says so;
 * else it is refused, and not touched.
 */
export function missingMigrations(migrations: readonly Migration[], { version, worksFrom }: Schema): Migration[] {
  const newest = newestOf(migrations);
  if (version > newest && worksFrom > newest) {
    throw new HubError(
      'DATABASE_NEWER',
      `The database is at version ${version}, for releases that know ${worksFrom}; this one knows ${newest}.`,
      {
        hint: 'Run the newer release of coterie that wrote it, or go back to a backup from before it.',
        details: { databaseVersion: version, worksFrom, knownVersion: newest },
      },
    );
  }
  return migrations.filter((migration) => migration.version > version);
}
