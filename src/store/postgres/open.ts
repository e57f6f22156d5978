// Brings the database's schema up to this release, one hub at a time, while others may be running.
import type { Client } from 'pg';
import { HubError } from '../../contract/errors.js';
import { loadMigrations, missingMigrations } from '../apply-migrations.js';

/** Any number, the same for every hub. */
const migrationLock = 4_100_001;

export async function migrate(client: Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  try {
    await client.query('create table if not exists hub_schema (version integer primary key, name text not null)');
    const { rows } = await client.query<{ version: number | null }>('select max(version) as version from hub_schema');
    for (const { version, name, sql } of missingMigrations(loadMigrations('postgres'), rows[0]?.version ?? 0)) {
      await client.query('begin');
      try {
        await client.query(sql);
        await client.query('insert into hub_schema (version, name) values ($1, $2)', [version, name]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
  }
}

export function cannotOpen(url: string, cause: unknown): HubError {
  if (cause instanceof HubError) return cause;
  const where = withoutPassword(url);
  return new HubError(
    'STORE_UNAVAILABLE',
    `Cannot open the database ${where}: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      hint: 'Check that PostgreSQL 14 or newer runs there, and that this user may connect and create tables.',
      details: { database: where },
      cause,
    },
  );
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  if (parsed.password !== '') parsed.password = '***';
  if (parsed.searchParams.has('password')) parsed.searchParams.set('password', '***');
  return parsed.href;
}
