// Upgrades the schema of the database to this release. One hub at a time does so, while others may be running.
import type { Client } from 'pg';
import { HubError } from '../../../contract/errors.js';
import { loadMigrations, missingMigrations, newestOf, type Migration, type Schema } from '../../apply-migrations.js';
import { pause } from './database.js';
import { isConflict } from './faults.js';

/** Any number, the same for every hub. */
const migrationLock = 4_100_001;
/** While a migration waits for a table lock, sends queue behind it: it gives up soon and retries after a pause. */
const lockMs = 250;
const retryAfterMs = 750;
/** Longer than any call of a hub; a dump of a large database may take longer.  */
const migrateTimeoutMs = 60_000;

export async function migrate(client: Client, timeoutMs = migrateTimeoutMs): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await migrateNow(client, deadline);
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (performance.now() > deadline) throw tablesHeld(error);
      // Without the lock, so that hubs that need no migration can start.
      await pause(retryAfterMs);
    }
  }
}

async function migrateNow(client: Client, deadline: number): Promise<void> {
  await takeLock(client);
  try {
    await ensureSchemaTable(client);
    const missing = missingMigrations(loadMigrations('postgres'), await schemaOf(client));
    await requireNoOlderHubs(client, missing.at(-1)?.worksFrom ?? 0);
    for (const migration of missing) {
      if (migration.runsAlone) await buildIndexes(client, migration, deadline);
      else await apply(client, migration);
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
  }
}

/** Polls: a build of indexes waits for every statement that is older, and so for one that waits for the lock of the build. */
async function takeLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ has: boolean }>('select pg_try_advisory_lock($1) as has', [migrationLock]);
    if (rows[0]?.has === true) return;
    await pause();
  }
}

async function ensureSchemaTable(client: Client): Promise<void> {
  // Null if a migration did not declare it: then only hubs that know the version may use the database.
  await client.query(`create table if not exists hub_schema (version integer primary key, name text not null,
    works_from integer)`);
  const { rows } = await client.query(
    "select 1 from pg_attribute where attrelid = 'hub_schema'::regclass and attname = 'works_from'",
  );
  // The table may predate the column. Checked first, because adding it needs a lock that conflicts with a dump.
  if (rows.length === 0) await client.query('alter table hub_schema add column works_from integer');
}

async function schemaOf(client: Client): Promise<Schema> {
  const { rows } = await client.query<Schema>(
    `select version, coalesce(works_from, version) as "worksFrom" from hub_schema order by version desc limit 1`,
  );
  return rows[0] ?? { version: 0, worksFrom: 0 };
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${lockMs}`);
  try {
    await client.query(migration.sql);
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function record(client: Client, { version, name, worksFrom }: Migration): Promise<void> {
  await client.query('insert into hub_schema (version, name, works_from) values ($1, $2, $3)', [
    version,
    name,
    worksFrom,
  ]);
}

/**
 * One by one, each beside what other hubs write. A build waits for transactions that are older, for example pg_dump; nobody waits
 * for it. What is built stays when a later one fails.
 */
async function buildIndexes(client: Client, migration: Migration, deadline: number): Promise<void> {
  const patienceMs = Math.max(lockMs, Math.ceil(deadline - performance.now()));
  await client.query(`set lock_timeout = ${patienceMs}`);
  try {
    for (const { name, sql } of indexesIn(migration)) {
      const { rows } = await client.query(
        'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
        [name],
      );
      // Left by a build that was interrupted.
      if (rows.length > 0) await client.query(`drop index concurrently ${name}`);
      await client.query(sql);
    }
    await record(client, migration);
  } finally {
    // If the connection is lost, whoever called is told so by the error above.
    await client.query('reset lock_timeout').catch(() => {});
  }
}

function indexesIn({ version, sql }: Migration): { name: string; sql: string }[] {
  const statements = sql.replaceAll(/--.*$/gm, '').split(';');
  return statements.flatMap((statement) => {
    if (statement.trim() === '') return [];
    const name = /^create index concurrently if not exists ([a-z_]+)\s+on /.exec(statement.trim())?.[1];
    if (name === undefined) throw new Error(`migration ${version} runs alone, but does more than build indexes`);
    return { name, sql: statement };
  });
}

/** The name of a connection that every hub keeps open while it runs. */
export function linkNameOf(hub: string): string {
  return `coterie link v${newestOf(loadMigrations('postgres'))} ${hub}`;
}

/** A migration must not break running hubs. */
async function requireNoOlderHubs(client: Client, worksFrom: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'coterie link v%' order by name`,
  );
  const older = rows.map(({ name }) => name).filter((name) => versionIn(name) < worksFrom);
  if (older.length === 0) return;
  const hubs = older.length === 1 ? 'A hub of an older release runs' : `${older.length} hubs of an older release run`;
  throw new HubError('DATABASE_IN_USE', `${hubs} on this database and cannot use the schema of this one.`, {
    hint: 'Upgrade to the releases in between first, one by one; or stop all hubs, then start this release.',
    details: { connections: older, worksFrom },
  });
}

function versionIn(linkName: string): number {
  return Number(/^coterie link v(\d+) /.exec(linkName)?.[1] ?? 0);
}

function tablesHeld(cause: unknown): HubError {
  return new HubError('STORE_UNAVAILABLE', "The database's tables were locked too long to migrate the schema.", {
    hint: 'Start the hub again when the transaction that locks them has ended, for example pg_dump; pg_stat_activity shows it.',
    cause,
  });
}
