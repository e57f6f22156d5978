// coterie migrate: a team moves from its folder into a database while it works, and finds everything again.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import {
  createDatabase,
  dropDatabase,
  embedded,
  goOn,
  hubOn,
  keyed,
  keyedThread,
  lookAround,
  makeTeam,
  members,
  onDatabase,
  picture,
  talkMuch,
  type Team,
} from './migrate-team.js';

const databases: string[] = [];
const password = /not-to-be-shown/;

async function newDatabase(like?: string): Promise<string> {
  const address = await createDatabase(`migrate-${process.pid}-${databases.length}`, like);
  databases.push(address);
  return address;
}

function migrate(from: string, to: string, ...flags: string[]) {
  return runCli(['migrate', '--from', from, ...flags], { env: { COTERIE_DATABASE_URL: to } });
}

async function migrated(from: string, to: string) {
  const { exitCode, stdout, stderr } = await migrate(from, to, '--json');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const { kinds } = JSON.parse(stdout) as { kinds: { kind: string; rows: number; changed: number }[] };
  return new Map(kinds.map(({ kind, ...counts }) => [kind, counts]));
}

afterAll(async () => {
  for (const address of databases) await dropDatabase(address);
});

describe('a team that moves', () => {
  const data = tempFolder();
  let database: string;
  let old: HubProcess;
  let hub: HubProcess;
  let team: Team;
  let before: unknown;

  beforeAll(async () => {
    database = await newDatabase();
    old = await startHubProcess({ data, env: embedded });
    team = await makeTeam(old.url);
  });

  it('is copied while its hub works, and only what is new comes with the next copy', async () => {
    const first = await migrated(data, database);
    for (const kind of ['messages', 'attachments', 'agents', 'copies, not ended', 'copies, ended', 'idempotency keys'])
      expect([kind, first.get(kind)?.changed]).toEqual([kind, first.get(kind)?.rows]);
    const waking = ['agents that can be woken', 'wake routes', 'wakes', 'attempts to wake', 'escalations'];
    const notUsed = ['channels', 'pushes', 'keys of agents’ programs', 'inboxes of removed agents', ...waking];
    const others = [...first].filter(([kind]) => !notUsed.includes(kind));
    for (const [kind, { rows }] of others) expect([kind, rows > 0]).toEqual([kind, true]);
    const version = await versionOf(database);
    await goOn(old.url, team);
    const second = await migrated(data, database);
    expect(second.get('messages')?.changed).toBe(
      (second.get('messages')?.rows ?? 0) - (first.get('messages')?.rows ?? 0),
    );
    expect(second.get('agents')?.rows).toBe(first.get('agents')?.rows);
    expect(await versionOf(database)).toBeGreaterThan(version);
  });

  it('finds everything as it was, under the same ids', async () => {
    before = await lookAround(old.url, team);
    expect(await old.stop()).toBe(0);
    await migrated(data, database);
    const version = await versionOf(database);
    const again = await migrated(data, database);
    expect([...again].filter(([, { changed }]) => changed > 0)).toEqual([]);
    expect(await versionOf(database)).toBe(version);
    hub = await hubOn(database, { isShared: true, args: ['--hub-secret-file', join(data, 'hub-secret')] });
    expect(await lookAround(hub.url, team)).toEqual(before);
    expect((before as { picture: { data: string } }).picture.data).toBe(picture);
  });

  it('is told where the secret of the folder is missing', async () => {
    const other = await hubOn(database);
    expect(await post(other.url, 'list_questions', {}, { agent: 'ann' })).toMatchObject({
      status: 503,
      body: { error: { code: 'HUB_SECRET_MISMATCH' } },
    });
    await other.stop();
  });

  it('has its words indexed before anyone says a new one', async () => {
    const behind =
      'select 1 from (select session_id, max(seq) as seq from message group by 1) m left join word_mark w using (session_id) where w.seq is distinct from m.seq';
    await onDatabase(database, (client) =>
      eventually('all words are indexed', async () => (await client.query(behind)).rows.length === 0),
    );
  });

  it('gets its answers again under the keys it used before', async () => {
    const again = await call(hub.url, 'send_message', keyed, { agent: 'ann' });
    expect(again).toMatchObject({ messageId: team.keyedId, duplicate: true });
    const odd = await call(
      hub.url,
      'send_message',
      { target: 'ann', content: 'key a!', idempotencyKey: 'a!' },
      { agent: 'cas' },
    );
    expect(odd.duplicate).toBe(true);
    const { threads } = await call(hub.url, 'list_threads', {}, { agent: 'ann' });
    const { threadId } = await call(hub.url, 'create_thread', keyedThread, { agent: 'ann' });
    expect(threads.map((thread: { threadId: string }) => thread.threadId)).toContain(threadId);
  });

  it('is handed what was in doubt once more, marked', async () => {
    const { messages } = await call(hub.url, 'wait_for_mentions', { timeoutMs: 5_000 }, { agent: 'eve' });
    expect(messages).toMatchObject([{ id: team.doubtfulId, redelivered: true }]);
  });

  it('goes on where it was', async () => {
    const last = await lastSeqIn(database);
    const sent = await call(hub.url, 'send_message', { target: 'dan', content: 'In the new place' }, { agent: 'ann' });
    expect(sent.seq).toBe(last + 1);
    for (const agent of members) {
      const { messages } = await call(hub.url, 'get_messages', { limit: 500 }, { agent });
      expect(messages.some(({ redelivered }: { redelivered?: boolean }) => redelivered === true)).toBe(false);
    }
    const { deadLetters: letters } = await call(hub.url, 'get_dead_letters', {}, { agent: 'ann' });
    await expect(call(hub.url, 'send_message', { target: 'noone', content: 'Hm' }, { agent: 'ann' })).rejects.toThrow();
    const { deadLetters: more } = await call(hub.url, 'get_dead_letters', {}, { agent: 'ann' });
    expect(Number(more[0].id.slice(1))).toBe(Number(letters[0].id.slice(1)) + 1);
  });

  it('is not overwritten from the folder once it was used in the database', async () => {
    const { exitCode, stderr } = await migrate(data, database);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^DATABASE_CHANGED: .*session 'default' has \d+ messages that the folder does not have/);
    const { messages } = await call(hub.url, 'search_messages', { query: '"in the new place"' }, { agent: 'ann' });
    expect(messages).toHaveLength(1);
  });
});

async function lastSeqIn(database: string): Promise<number> {
  const sql = "select max(seq) as seq from message where session_id = 'default'";
  return onDatabase(database, async (client) => Number((await client.query(sql)).rows[0].seq));
}

async function versionOf(database: string): Promise<number> {
  const sql = "select version from session where id = 'default'";
  return onDatabase(database, async (client) => Number((await client.query(sql)).rows[0].version));
}

describe('a copy', () => {
  const data = tempFolder();
  let database: string;

  beforeAll(async () => {
    const hub = await startHubProcess({ data, env: embedded });
    await makeTeam(hub.url);
    await talkMuch(hub.url);
    await hub.stop();
    database = await newDatabase();
    const kinds = await migrated(data, database);
    expect(kinds.get('messages')?.rows).toBeGreaterThan(300);
    expect(kinds.get('copies, ended')?.rows).toBeGreaterThan(1_200);
  });

  it.each([
    [
      'a changed message',
      "update message set content = replace(content, 'railway', 'airway')",
      'messages',
      /at \[\d+\]/,
    ],
    ['a missing copy', 'delete from pending where seq = (select max(seq) from pending)', 'copies, not ended', /at \["/],
    ['a row too many', "insert into agent_group values ('default', 'zoo', '[]')", 'groups', /at \["zoo"\]/],
    ['changed bytes', 'update attachment set data = set_byte(data, 100, 255)', 'attachments', /at \["[0-9a-f]{64}"\]/],
    ['another salt', 'update session set salt = salt + 1', 'sessions', /at \["default"\]/],
  ])('that was damaged is found out: %s', async (_, sql, kind, place) => {
    const damaged = await newDatabase(database);
    await onDatabase(damaged, (client) => client.query(sql));
    const { exitCode, stdout } = await migrate(data, damaged, '--verify-only');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${kind} .*DIFFERENT$`, 'm'));
    expect(stdout).toMatch(new RegExp(`session default, ${kind}: .*first difference ${place.source}`));
  });

  it.each([
    [
      "update agent set description = 'changed' where id = 'ben'",
      /was written to there since the last copy \(agents\)/,
    ],
    ['delete from pending where seq = (select max(seq) from pending)', /\(copies, not ended\)/],
    [
      "update message set content = '[]' where seq = (select max(seq) from message)",
      /has a different message m\w+ than/,
    ],
  ])('is not made over what others wrote: %s', async (sql, words) => {
    const changed = await newDatabase(database);
    await onDatabase(changed, (client) => client.query(sql));
    const { exitCode, stderr } = await migrate(data, changed);
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: expect.stringMatching(words) });
    expect(stderr).toMatch(/^DATABASE_CHANGED: .*session 'default'.*\nNothing was changed\./);
    const { stdout } = await migrate(data, changed, '--verify-only');
    expect(stdout.match(/DIFFERENT/g)).toHaveLength(1);
  });

  it('takes over a session that a hub made and nobody used, and no other', async () => {
    const [unused, used] = [await newDatabase(), await newDatabase()];
    const hub = await hubOn(unused);
    await hub.stop();
    await migrated(data, unused);
    const other = await hubOn(used);
    await call(other.url, 'register_agent', { agentId: 'zoe' });
    await other.stop();
    const { exitCode, stderr } = await migrate(data, used);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/'default' was used there by a hub/),
    });
  });

  it('that was cut off is simply made again', async () => {
    const empty = await newDatabase();
    const hub = await hubOn(empty);
    await hub.stop();
    await onDatabase(empty, async (client) => {
      // What changes comes after the messages.
      await client.query('begin; lock table agent in exclusive mode');
      const cut = migrate(data, empty);
      const waiting = `select pid from pg_stat_activity
        where application_name = 'coterie migrate' and datname = current_database() and wait_event_type = 'Lock'`;
      await eventually('the copy waits', async () => {
        await client.query('select pg_stat_clear_snapshot()');
        return (await client.query(waiting)).rows.length > 0;
      });
      await client.query(`select pg_terminate_backend(pid) from (${waiting}) copy; commit`);
      expect(await cut).toMatchObject({ exitCode: 6, stderr: expect.stringMatching(/^STORE_UNAVAILABLE: .*\nRun it/) });
      const { rows } = await client.query('select (select count(*) from message) > 0 as some, count(*) from agent');
      // The local person.
      expect(rows).toEqual([{ some: true, count: '1' }]);
    });
    const kinds = await migrated(data, empty);
    expect(kinds.get('messages')?.changed).toBeLessThan(kinds.get('messages')?.rows ?? 0);
    expect(kinds.get('agents')?.changed).toBe(kinds.get('agents')?.rows);
  });
});

describe('what cannot be copied is said:', () => {
  const folder = tempFolder();

  it.each([
    ['no such folder', [join(folder, 'none'), 'postgres://x@127.0.0.1:1/x'], 2, /There is no coterie\.db in '.*none'/],
    [
      'no address',
      [folder, 'mysql://ann:not-to-be-shown@host/x'],
      2,
      /COTERIE_DATABASE_URL was given 'mysql:\/\/ann:\*\*\*@host\/x'/,
    ],
  ] as const)('%s', async (_, [from, to], code, words) => {
    const { exitCode, stderr } = await migrate(from, to);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringMatching(words) });
    expect(stderr).not.toMatch(password);
  });

  it('no server, a database that is not there, a newer schema', async () => {
    const data = join(folder, 'team');
    const hub = await startHubProcess({ data, env: embedded });
    await hub.stop();
    const nowhere = await migrate(data, 'postgres://ann:not-to-be-shown@127.0.0.1:1/x');
    expect(nowhere).toMatchObject({
      exitCode: 6,
      stderr: expect.stringMatching(/^STORE_UNAVAILABLE: .*ann:\*\*\*@127/),
    });
    const newer = await newDatabase();
    const missing = new URL(newer);
    missing.pathname = '/none';
    const absent = await migrate(data, missing.href);
    expect(absent).toMatchObject({ exitCode: 6, stderr: expect.stringMatching(/database "none" does not exist/) });
    const empty = await migrate(data, newer, '--verify-only');
    expect(empty).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/This database has no hub schema/) });
    await migrated(data, newer);
    await onDatabase(newer, (client) => client.query("insert into hub_schema (version, name) values (9999, 'x')"));
    const ahead = await migrate(data, newer);
    expect(ahead).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/^DATABASE_NEWER: .*9999/) });
    for (const { stderr } of [nowhere, absent, ahead]) expect(stderr).not.toMatch(password);
    rmSync(join(data, 'coterie.db'));
    writeFileSync(
      join(data, 'coterie.db'),
      'This is no database, but it is long enough to be taken for one. '.repeat(20),
    );
    expect(await migrate(data, newer)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/^STORE_DAMAGED: .*not a database/),
    });
  });
});

it('a letter to an empty group that is replayed between two copies is copied again', async () => {
  const data = tempFolder();
  const database = await newDatabase();
  const hub = await startHubProcess({ data, env: embedded });
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
  const sending = call(hub.url, 'send_message', { target: 'council', content: 'x' }, { agent: 'ann' });
  await expect(sending).rejects.toThrow('GROUP_EMPTY');
  await migrated(data, database);
  await call(hub.url, 'set_group', { name: 'council', members: ['ben'] });
  await call(hub.url, 'replay_dead_letter', { id: 'd1' });
  await hub.stop();
  await migrated(data, database);
  const moved = await hubOn(database);
  const { messages } = await call(moved.url, 'get_messages', {}, { agent: 'ben' });
  expect(messages).toMatchObject([{ target: 'council', why: 'group' }]);
  await moved.stop();
});
