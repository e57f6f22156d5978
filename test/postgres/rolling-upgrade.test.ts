// Hubs of two releases on one database, as in an upgrade without a pause: the next release is this one with more
// migrations.
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import type { migrate as Migrate } from '../../dist/store/postgres/connection/upgrade-schema.js';
import { openThread, registerAgents, withFaultRun, type FaultRun } from '../fault/fault-run.js';
import type { FaultHub } from '../fault/fault-hub.js';
import type { ReaderConfig, SenderConfig } from '../fault/load-run.js';
import type { Outage } from '../fault/run-record.js';
import { loadMigrations } from '../../dist/store/apply-migrations.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { tempFolder } from '../support/temp-folder.js';
import { metric } from '../support/metrics.js';
import { firstNext, makeNextRelease } from '../support/next-release.js';
import { databaseOf } from '../support/test-database.js';

/** The migrations of this release. */
const own = loadMigrations('postgres').map(({ version }) => version);
const current = own.at(-1) ?? 0;

const added = `-- Works for hubs from: ${current}
alter table message add column region text not null default 'here';
alter table pending add column region text not null default 'here';
alter table session add column region text;
create table region (session_id text collate "C" not null, name text not null, primary key (session_id, name));
create index message_by_region on message (session_id, region) where region <> 'here';
`;
const next = makeNextRelease(added);
const breaking = makeNextRelease(added, 'drop index message_by_region;');

const manualLeaseMs = 3_000;
/** Longer than a lease that ran out, and the reaper's round. */
const quietMs = manualLeaseMs + 1_500;

interface Hubs extends FaultRun {
  first: FaultHub;
  second: FaultHub;
  database: string;
}

/** Two hubs on a database of their own, not started yet. */
async function withHubs(name: string, body: (hubs: Hubs) => Promise<void>): Promise<void> {
  const folder = tempFolder();
  const database = await databaseOf(folder);
  if (database === null) throw new Error('this world has no database');
  const stores = [1, 2].map(() => ['--database', database]);
  await withFaultRun({ name, seed: 7, manualLeaseMs, stores }, async (run) => {
    const [first, second] = run.hubs;
    if (first === undefined || second === undefined) throw new Error('there is a hub for each store');
    await body({ ...run, first, second, database });
  });
}

async function onDatabase<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** What the hubs that run here know, by the names of their connections. */
async function versionsOf(database: string): Promise<number[]> {
  const { rows } = await onDatabase(database, (client) =>
    client.query<{ version: number }>(
      `select substring(application_name from '^coterie link v(\\d+) ')::integer as version from pg_stat_activity
       where datname = current_database() and application_name like 'coterie link %' order by version`,
    ),
  );
  return rows.map(({ version }) => version);
}

/** Three hubs stop and start, on a machine that others use as well. */
const timeout = 120_000;

/** Beside the load, which is judged by itself. */
const session = 'beside';

interface Seen {
  messages: { content: { text: string }[] }[];
}

const textsOf = ({ messages }: Seen) => messages.map(({ content }) => content[0]?.text);
const send = (hub: FaultHub, target: string, content: string) =>
  post(hub.url, 'send_message', { target, content }, { agent: 'ann', session });
const inbox = (hub: FaultHub, agent: string, limit = 500): Promise<Seen> =>
  call(hub.url, 'get_messages', { limit }, { agent, session });

async function register(hub: FaultHub, ...agents: string[]): Promise<void> {
  for (const agentId of agents) await call(hub.url, 'register_agent', { agentId }, { session });
}

/** A wait parked at one hub is woken by a send at the other. */
async function expectWake(reader: string, at: FaultHub, sender: FaultHub): Promise<void> {
  await register(at, 'ann', reader);
  const waiting: Promise<Seen> = call(at.url, 'wait_for_mentions', { timeoutMs: 20_000 }, { agent: reader, session });
  await eventually(`${reader} waits, as the other hub sees it`, async () => {
    const { agents } = await call(sender.url, 'list_agents', {}, { session });
    return agents.some(({ id, presence }: Record<string, string>) => id === reader && presence === 'waiting');
  });
  await send(sender, reader, `for ${reader}`);
  expect(textsOf(await waiting)).toEqual([`for ${reader}`]);
}

it('hubs are upgraded one by one under load, and one of them back again: nothing is lost or refused', { timeout }, () =>
  withHubs('rolling upgrade', async (run) => {
    const { first, second, load, database } = run;
    const outages: Outage[] = [];
    const restart = async (hub: FaultHub, script?: string) => {
      const fromUs = nowUs();
      expect(await hub.end('SIGTERM')).toBe(0);
      await hub.start(script);
      outages.push({ hub: hub.url, fromUs, untilUs: nowUs() });
      await isBusy(hub);
    };
    await Promise.all([first.start(), second.start()]);
    await startLoad(run);
    await Promise.all([isBusy(first), isBusy(second)]);

    await restart(first, next.script);
    expect(await versionsOf(database)).toEqual([current, firstNext]);
    await expectWake('waits-at-old', second, first);
    await expectWake('waits-at-new', first, second);
    await restart(second, next.script);
    expect(await versionsOf(database)).toEqual([firstNext, firstNext]);
    await restart(first);
    expect(await versionsOf(database)).toEqual([current, firstNext]);
    await expectWake('waits-at-old-again', first, second);
    await expectWake('waits-at-new-again', second, first);

    load.calm();
    await load.sent(10_000);
    await load.quiet(quietMs, 30_000);
    const { violations, complaints, counts, histories } = await run.judge(outages);
    expect(violations).toEqual([]);
    expect(complaints).toEqual([]);
    expect(counts.ok).toBeGreaterThan(100);
    const events = histories.flat();
    // Posting in a foreign thread is refused for that; nothing else is.
    expect(events.flatMap(({ code = 'FORBIDDEN' }) => (code === 'FORBIDDEN' ? [] : code))).toEqual([]);
    const unanswered = new Set(events.flatMap(({ reason }) => reason ?? []));
    expect([...unanswered].filter((reason) => !connectionEnds.has(reason))).toEqual([]);
  }),
);

/** What a client sees of a hub that is gone, or is just going. */
const connectionEnds = new Set(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']);

const reader = {
  role: 'reader',
  ack: 'auto',
  giveUpShare: 0,
  spreadMs: 0,
  limitMax: 20,
  timeoutMsMax: 1_500,
} as const;

const readers: ReaderConfig[] = [
  { ...reader, name: 'reader-1', agent: 'r1', vias: ['keep-alive', 'close'], operations: ['wait_for_mentions'] },
  { ...reader, name: 'reader-2', agent: 'r2', vias: ['fetch'], operations: ['get_messages', 'wait_for_mentions'] },
  { ...reader, name: 'reader-3', agent: 'r3', vias: ['keep-alive'], operations: ['wait_for_mentions'], ack: 'manual' },
  { ...reader, name: 'reader-4', agent: 'r4', vias: ['mcp-v2-2025', 'mcp-v2-2026'], operations: ['wait_for_mentions'] },
];

async function startLoad({ hub, load }: FaultRun): Promise<void> {
  const readerIds = readers.map(({ agent }) => agent);
  const senderIds = ['s1', 's2', 's3', 's4'];
  await registerAgents(hub.url, [...readerIds, ...senderIds]);
  const threads = await Promise.all(senderIds.map((sender) => openThread(hub.url, sender, readerIds)));
  const senders = senderIds.map((agent, index): SenderConfig => {
    const [thread = '', foreignThread = ''] = [threads[index], threads[(index + 1) % threads.length]];
    const pace = { lanes: 1, thinkMsMax: 150, messagesMax: Number.MAX_SAFE_INTEGER, expiringShare: 0 };
    return { role: 'sender', name: `sender-${agent}`, agent, readers: readerIds, thread, foreignThread, ...pace };
  });
  const [oneReader, ...moreReaders] = readers;
  const [oneSender, ...moreSenders] = senders;
  if (oneReader === undefined || oneSender === undefined) throw new Error('there are both');
  load.start({ role: 'follower', name: 'follower', leaveShare: 0.02 });
  load.start(oneReader, ...moreReaders);
  load.start(oneSender, ...moreSenders);
  await load.started();
}

/** It takes sends, and hands messages out. */
async function isBusy({ url }: FaultHub): Promise<void> {
  const before = await metric(url, 'coterie_sends_total');
  await eventually('the hub is busy', async () => (await metric(url, 'coterie_sends_total')) >= before + 4);
}

/** The clock of the histories. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

it('a release that older hubs cannot work beside changes nothing while they run, and keeps them out afterwards', () =>
  withHubs('a breaking release', async ({ first, second, database }) => {
    await first.start();
    await register(first, 'ann', 'ben');
    await expect(second.start(breaking.script)).rejects.toThrow(/ended with 3 [^]*DATABASE_IN_USE: A hub of an older/);
    expect(await migrationsIn(database)).toEqual(own);
    expect(await send(first, 'ben', 'still here')).toMatchObject({ status: 200 });
    expect(await first.end('SIGTERM')).toBe(0);
    await Promise.all([first.start(breaking.script), second.start(breaking.script)]);
    // Hubs that start at once change the database once.
    expect(await migrationsIn(database)).toEqual([...own, firstNext, firstNext + 1]);
    expect(await first.end('SIGTERM')).toBe(0);
    const refused = new RegExp(`ended with 3 [^]*DATABASE_NEWER: .* ${firstNext + 1}.*\nRun the newer release`);
    await expect(first.start()).rejects.toThrow(refused);
    expect(textsOf(await inbox(second, 'ben'))).toEqual(['still here']);
  }));

/** As pg_dump does. */
const holdAll = 'begin; lock table message, pending, session, hub_schema in access share mode';

it('a change that has to wait for a table lets sends pass and hubs start, and says why when it gives up', () =>
  withHubs('a held table', async ({ first, second, database }) => {
    await first.start();
    await register(first, 'ann', 'ben');
    await onDatabase(database, async (holder) => {
      await holder.query(holdAll);
      const started = second.start(next.script);
      await eventually('the change waits', () => isWaiting(database, 'add column region'));
      for (let count = 1; count <= 10; count++)
        expect(await send(first, 'ben', String(count))).toMatchObject({ status: 200 });
      expect(await first.end('SIGTERM')).toBe(0);
      await first.start();
      await expect(migrateWithoutPatience(database)).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        hint: expect.stringContaining('pg_dump'),
      });
      expect(await migrationsIn(database)).toEqual(own);
      await holder.query('commit');
      await started;
    });
    expect(await migrationsIn(database)).toEqual([...own, firstNext]);
    expect(textsOf(await inbox(second, 'ben'))).toHaveLength(10);
  }));

it('a hub that runs goes on when a column has got another type', () =>
  withHubs('another type', async ({ first, database }) => {
    await first.start();
    await register(first, 'ann', 'ben');
    // Many at once, so that each of the hub's connections has prepared its statements.
    const talk = async () => {
      const sent = await Promise.all(Array.from({ length: 40 }, (_, index) => send(first, 'ben', String(index))));
      expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200));
      const seen = await Promise.all(sent.map(() => inbox(first, 'ben', 2)));
      expect(seen.flatMap(textsOf)).toHaveLength(40);
    };
    await talk();
    await onDatabase(database, (client) =>
      client.query(`alter table pending alter column attempts type bigint; alter table message alter column hops type bigint;
        alter table session alter column salt type bigint`),
    );
    await talk();
    expect(first.complaints()).toEqual([]);
  }));

it('words between hubs that this release does not know are left alone', () =>
  withHubs('unknown words', async ({ first, second, database }) => {
    await Promise.all([first.start(), second.start()]);
    const words = ['x', 'x later', 'x {"a":1}', 'x [["later","s"],["copy","s"],["feed","s","more"],null]'];
    await onDatabase(database, (client) =>
      client.query("select pg_notify('coterie', word) from unnest($1::text[]) word", [words]),
    );
    await expectWake('ben', first, second);
    await expectWake('cyn', second, first);
    expect([...first.complaints(), ...second.complaints()]).toEqual([]);
  }));

/** What the next release's hubs do when they start, but for the minute they go on trying. */
async function migrateWithoutPatience(database: string): Promise<void> {
  // Built from the same source as the one whose type it is.
  const { migrate } = (await import(join(next.folder, 'dist/store/postgres/connection/upgrade-schema.js'))) as {
    migrate: typeof Migrate;
  };
  await onDatabase(database, (client) => migrate(client, 0));
}

/** Whether a statement with these words waits for a lock. */
async function isWaiting(database: string, words: string): Promise<boolean> {
  const { rowCount } = await onDatabase(database, (client) =>
    client.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and strpos(query, $1) > 0`,
      [words],
    ),
  );
  return rowCount === 1;
}

async function migrationsIn(database: string): Promise<number[]> {
  const { rows } = await onDatabase(database, (client) =>
    client.query<{ version: number }>('select version from hub_schema order by version'),
  );
  return rows.map(({ version }) => version);
}
