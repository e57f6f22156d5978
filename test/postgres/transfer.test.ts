// coterie export and coterie import: a session moves between the stores, and back.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { openDatabase } from '../../dist/store/sqlite/writer/driver.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { allTables, changingTables, sessions } from '../../dist/store/rows/tables.js';
import { transferTables } from '../../dist/store/rows/transfer-rows.js';
import { runCli } from '../cli/run-cli.js';
import { call } from '../support/http-call.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { comparable, fillSession, keyed, type FullSession } from '../support/transfer.js';
import { createDatabase, dropDatabase, embedded, hubOn, onDatabase } from './migrate-team.js';

const databases: string[] = [];

async function newDatabase(): Promise<string> {
  const address = await createDatabase(`transfer-${process.pid}-${databases.length}`);
  databases.push(address);
  return address;
}

afterAll(async () => {
  for (const address of databases) await dropDatabase(address);
});

const folder = tempFolder();
const linesOf = (text: string) => text.trimEnd().split('\n');

describe('between the stores', () => {
  let onSqlite: HubProcess;
  let onPostgres: HubProcess;
  let full: FullSession;

  beforeAll(async () => {
    onSqlite = await startHubProcess({ env: embedded, isShared: true });
    onPostgres = await hubOn(await newDatabase(), { isShared: true });
    full = await fillSession(onSqlite.url, 'team');
  });

  const exported = async (hub: HubProcess, session: string) => {
    const { exitCode, stdout, stderr } = await runCli(['export', '--session', session, '--url', hub.url]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout;
  };

  it('is written to a file that only its owner reads, and to none that is there', async () => {
    const file = join(folder, 'team.jsonl');
    const args = ['export', file, '--session', 'team', '--url', onSqlite.url];
    expect(await runCli(args)).toMatchObject({ exitCode: 0, stdout: '', stderr: expect.stringContaining(' lines, ') });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(linesOf(readFileSync(file, 'utf8')).at(-1)).toMatch(/^\{"kind":"end",/);
    expect(await runCli(args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is there already') });
  });

  it('moves from SQLite to PostgreSQL and back, and is the same', async () => {
    const file = join(folder, 'team.jsonl');
    const first = linesOf(readFileSync(file, 'utf8'));
    const there = await runCli(['import', file, '--url', onPostgres.url]);
    expect(there).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Imported session team: \d+ messages\.\n$/),
    });
    const second = await exported(onPostgres, 'team');
    expect(comparable(linesOf(second))).toEqual(comparable(first));
    const back = await runCli(['import', '-', '--session', 'team-2', '--json', '--url', onSqlite.url], {
      stdin: second,
    });
    expect(JSON.parse(back.stdout)).toMatchObject({ done: true, sessionId: 'team-2' });
    expect(comparable(linesOf(await exported(onSqlite, 'team-2')))).toEqual(comparable(first));
    for (const [hub, session] of [
      [onPostgres, 'team'],
      [onSqlite, 'team-2'],
    ] as const) {
      const again = await call(hub.url, 'send_message', keyed, { agent: 'ann', session });
      expect(again).toMatchObject({ messageId: full.keyedId, duplicate: true });
    }
  });

  it('is refused with what to do next', async () => {
    const file = join(folder, 'team.jsonl');
    const taken = await runCli(['import', file, '--url', onPostgres.url]);
    expect(taken).toMatchObject({ exitCode: 4, stderr: expect.stringMatching(/^SESSION_TAKEN: .*\n.*--session/) });
    const cut = join(folder, 'cut.jsonl');
    writeFileSync(cut, readFileSync(file, 'utf8').slice(0, 20_000));
    const refused = await runCli(['import', cut, '--session', 'cut', '--url', onPostgres.url]);
    expect(refused).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(/^IMPORT_INVALID: .*\nNothing was imported/),
    });
    const none = await runCli(['import', join(folder, 'none'), '--url', onPostgres.url]);
    expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^USAGE: Cannot read /) });
    expect(await runCli(['import'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/needs a file, or --from/),
    });
  });
});

describe('every table and column', () => {
  // Not a session's own: of the hub, of its indexes, or of what is under way.
  const notExported = {
    sqlite: [
      'access_key',
      'agent_signal_key',
      'audit',
      'channel',
      'device',
      'escalation',
      'hub_identity',
      'hub_schema',
      'import_part',
      'import_run',
      'key_version',
      'pairing',
      'person_prefs',
      'push',
      'removed_inbox',
      'signal',
      'signal_recipient',
      'wake',
      'wake_agent',
      'wake_attempt',
      'wake_route',
      'message_span',
      'reader_message',
      'sender_message',
      'thread_message',
      'watermark',
    ],
    postgres: [
      'access_key',
      'agent_signal_key',
      'audit',
      'channel',
      'commit_mark',
      'device',
      'escalation',
      'hub_identity',
      'hub_schema',
      'import_part',
      'import_run',
      'key_version',
      'pairing',
      'person_prefs',
      'push',
      'removed_inbox',
      'signal',
      'signal_recipient',
      'wake',
      'wake_agent',
      'wake_attempt',
      'wake_route',
      'message_word',
      'word_mark',
    ],
  };
  const exportedTables = [...allTables.map(({ name }) => name), 'session']
    .filter((name) => !notExported.sqlite.includes(name))
    .toSorted();
  /** Of one store only, or made again. */
  const otherColumns = new Set(['session_id', 'n', 'origin', 'version', 'data', 'is_excused', 'size', 'sha256']);
  /** By which a deep inbox is searched: filed again where they are missing. */
  const filedColumns = new Set([
    'agent.filed_seq',
    'pending.sender',
    'pending.thread_id',
    'pending.type',
    'pending.target',
  ]);

  const columnsOf = new Map([...allTables, sessions].map((table) => [table.name, [...table.key, ...table.columns]]));

  function expectAllKnown(found: readonly { name: string; column: string }[]): void {
    for (const { name, column } of found) {
      const known = columnsOf.get(name);
      if (known !== undefined && !otherColumns.has(column) && !filedColumns.has(`${name}.${column}`))
        expect([name, known.includes(column)]).toEqual([name, true]);
    }
  }

  it('of SQLite is exported, or named here', async () => {
    const data = tempFolder();
    const settings = { folder: data, storeMaxBytes: null, monotonicNow: 0, manualLeaseMs: 1 };
    const store = await openSqliteStore({
      ...settings,
      onBatch() {},
      onNotices() {},
      onBug: console.error,
      onBroken: console.error,
    });
    await store.close();
    const database = openDatabase(join(data, 'coterie.db'));
    const rows = database
      .prepare(
        `select m.name as name, c.name as "column" from sqlite_master m join pragma_table_info(m.name) c
        where m.type = 'table' and m.name not like 'sqlite_%' and m.name not like 'message_word%'`,
      )
      .all() as { name: string; column: string }[];
    database.close();
    const names = [...new Set(rows.map(({ name }) => name))].toSorted();
    expect(names).toEqual([...exportedTables, ...notExported.sqlite].toSorted());
    expectAllKnown(rows);
  });

  it('of PostgreSQL is exported, or named here', async () => {
    const url = await newDatabase();
    await (await openPostgresStore({ url, onBatch() {}, onNotices() {}, onBug: console.error })).close();
    const sql =
      "select table_name as name, column_name as column from information_schema.columns where table_schema = 'public'";
    const rows = await onDatabase(
      url,
      async (client) => (await client.query<{ name: string; column: string }>(sql)).rows,
    );
    const names = [...new Set(rows.map(({ name }) => name))].toSorted();
    expect(names).toEqual([...exportedTables, ...notExported.postgres].toSorted());
    expectAllKnown(rows);
  });

  it('that is copied has lines of its own, or comes with the messages', () => {
    const withMessages = ['pending', 'delivery', 'idempotency'];
    const names = changingTables.map(({ name }) => name).filter((name) => !notExported.sqlite.includes(name));
    expect([...transferTables.map(({ name }) => name), ...withMessages].toSorted()).toEqual(names.toSorted());
  });
});
