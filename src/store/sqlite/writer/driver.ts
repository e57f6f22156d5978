// Picks the SQLite driver: Node's own if its SQLite is new enough, else a package with the same API and prebuilt binaries.
import { createRequire } from 'node:module';

export interface Statement {
  run(...parameters: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...parameters: SqlValue[]): unknown;
  all(...parameters: SqlValue[]): unknown[];
  iterate(...parameters: SqlValue[]): IterableIterator<unknown>;
}

export type SqlValue = string | number | null | Uint8Array;

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
  readonly isTransaction: boolean;
}

interface Driver {
  DatabaseSync: new (path: string, options: { readOnly: boolean }) => Database;
}

/** Earlier releases can corrupt a database when a WAL reset races a checkpoint. */
const oldestSafeSqlite = [3, 51, 3] as const;

/** Page size of our files; SQLite's current default, set explicitly. */
export const pageBytes = 4_096;

export function openDatabase(path: string, { readOnly = false }: { readOnly?: boolean } = {}): Database {
  const { DatabaseSync } = loadDriver();
  return new DatabaseSync(path, { readOnly });
}

function loadDriver(): Driver {
  const require = createRequire(import.meta.url);
  // The cast is safe: both modules export this class under this name.
  return (hasSafeBuiltIn() ? require('node:sqlite') : require('@photostructure/sqlite')) as Driver;
}

function hasSafeBuiltIn(): boolean {
  const version = process.versions['sqlite'];
  if (version === undefined) return false;
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of oldestSafeSqlite.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
