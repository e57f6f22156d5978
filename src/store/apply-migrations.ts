// Which migrations a database still needs. The same rule for every store; running them is the store's part.
import { readdirSync, readFileSync } from 'node:fs';
import { HubError } from '../contract/errors.js';

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

/** The numbered .sql files of one dialect, in order. */
export function loadMigrations(dialect: 'sqlite' | 'postgres'): Migration[] {
  const folder = new URL(`../../migrations/${dialect}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => /^\d{4}_[a-z0-9-]+\.sql$/.test(file))
    .toSorted()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      sql: readFileSync(new URL(file, folder), 'utf8'),
    }));
}

/** What is missing at `version`. A database ahead of this release is refused, never touched. */
export function missingMigrations(migrations: readonly Migration[], version: number): Migration[] {
  const newest = migrations.at(-1)?.version ?? 0;
  if (version > newest) {
    throw new HubError('DATABASE_NEWER', `The database is at version ${version}; this release knows ${newest}.`, {
      hint: 'Run the newer release of coterie that wrote it, or another --data folder.',
      details: { databaseVersion: version, knownVersion: newest },
    });
  }
  return migrations.filter((migration) => migration.version > version);
}
