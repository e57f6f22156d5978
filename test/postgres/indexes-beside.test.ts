// An upgrade builds indexes on a table with many copies while hubs write to it, and goes on where it was interrupted.
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadMigrations } from '../../dist/store/apply-migrations.js';
import { migrate } from '../../dist/store/postgres/connection/upgrade-schema.js';
import { eventually } from '../support/eventually.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

const copies = 100_000;
/** The newest of the release before the indexes. */
const before = 5;
const migrations = loadMigrations('postgres');
const built = ['pending_by_sender', 'pending_by_target', 'pending_by_thread', 'pending_by_token', 'pending_by_type'];

let url = '';
let clients: Client[] = [];

async function connect(): Promise<Client> {
  const client = new Client(url).on('error', () => {});
  clients.push(client);
  await client.connect();
  return client;
}

/** A database of that release, with copies. */
beforeEach(async () => {
  url = (await databaseOf(tempFolder())) ?? '';
  const client = await connect();
  await client.query('create table hub_schema (version integer primary key, name text not null, works_from integer)');
  for (const { version, name, sql, worksFrom } of migrations.filter((migration) => migration.version <= before)) {
    await client.query(sql);
    await client.query('insert into hub_schema values ($1, $2, $3)', [version, name, worksFrom]);
  }
  await client.query(
    `insert into pending (session_id, agent_id, lane, rank, seq, why)
     select 'default', 'ben', 0, 2, n, 'direct' from generate_series(1, ${copies}) n`,
  );
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end().catch(() => {})));
  clients = [];
});

/** As a dump does: it has a snapshot, and reads other tables for now. */
async function openSnapshot(): Promise<Client> {
  const holder = await connect();
  await holder.query('begin isolation level repeatable read; select 1 from session');
  return holder;
}

async function isBuilding(watcher: Client): Promise<boolean> {
  const waiting =
    "select 1 from pg_stat_activity where wait_event = 'virtualxid' and query like '%index concurrently%'";
  return (await watcher.query(`${waiting} and datname = current_database()`)).rows.length > 0;
}

async function validIndexes(client: Client): Promise<[string, boolean][]> {
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'pending'::regclass and c.relname = any($1) order by c.relname`,
    [built],
  );
  return rows.map(({ name, valid }) => [name, valid]);
}

async function versionsOf(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ version: number }>('select version from hub_schema order by version');
  return rows.map(({ version }) => version);
}

const all = migrations.map(({ version }) => version);

it('copies are stored, leased and ended while indexes are built, and a hub that starts waits for them', async () => {
  const holder = await openSnapshot();
  const hub = await connect();
  await hub.query("set lock_timeout = '2s'");
  const upgrade = migrate(await connect());
  await eventually('the build waits', () => isBuilding(hub));
  // As a hub of the release before writes, which does not know the new columns.
  await hub.query(
    "insert into pending (session_id, agent_id, lane, rank, seq, why) values ('default', 'ben', 0, 2, 0, 'direct')",
  );
  await hub.query("update pending set lease_token = 'a' where session_id = 'default' and agent_id = 'ben' and seq = 0");
  await hub.query("delete from pending where session_id = 'default' and agent_id = 'ben' and seq = 1");
  expect(await versionsOf(hub)).toEqual(all.slice(0, 7));
  const second = migrate(await connect());
  await holder.query('commit');
  await Promise.all([upgrade, second]);
  expect(await versionsOf(hub)).toEqual(all);
  expect(await validIndexes(hub)).toEqual(built.map((name) => [name, true]));
});

it('a build that was interrupted is done again', async () => {
  const holder = await openSnapshot();
  const watcher = await connect();
  const interrupted = migrate(await connect());
  interrupted.catch(() => {});
  await eventually('the build waits', () => isBuilding(watcher));
  const ended = "select pg_terminate_backend(pid) from pg_stat_activity where query like '%index concurrently if%'";
  await watcher.query(`${ended} and datname = current_database() and pid <> pg_backend_pid()`);
  await expect(interrupted).rejects.toThrow();
  expect((await validIndexes(watcher)).map(([, valid]) => valid)).toEqual([false]);
  await holder.query('commit');
  await migrate(await connect());
  expect(await versionsOf(watcher)).toEqual(all);
  expect(await validIndexes(watcher)).toEqual(built.map((name) => [name, true]));
});

it('a hub of the release before, which waits in the lock when it starts, and the build get past each other', async () => {
  const holder = await openSnapshot();
  const watcher = await connect();
  const upgrade = migrate(await connect());
  await eventually('the build waits', () => isBuilding(watcher));
  const old = await connect();
  const starts = async (): Promise<void> => {
    try {
      await old.query('select pg_advisory_lock(4100001)');
      await old.query('select pg_advisory_unlock(4100001)');
    } catch (error) {
      // A deadlock, after which that hub tries again, too.
      expect(error).toMatchObject({ code: '40P01' });
      await starts();
    }
  };
  const started = starts();
  await eventually('the other hub waits', async () => {
    const waiting = "select 1 from pg_stat_activity where wait_event = 'advisory' and datname = current_database()";
    return (await watcher.query(waiting)).rows.length > 0;
  });
  await holder.query('commit');
  await Promise.all([upgrade, started]);
  expect(await versionsOf(watcher)).toEqual(all);
  expect(await validIndexes(watcher)).toEqual(built.map((name) => [name, true]));
});

it('a build that has to wait too long says why', async () => {
  const holder = await openSnapshot();
  await expect(migrate(await connect(), 0)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    hint: expect.stringContaining('pg_dump'),
  });
  await holder.query('commit');
  await migrate(await connect());
  expect(await versionsOf(holder)).toEqual(all);
});
