// coterie migrate moves the keys and the audit log of a hub: it never reopens.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyText } from '../../dist/access/key-text.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { runCli } from '../cli/run-cli.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { createDatabase, dropDatabase, embedded, hubOn } from './migrate-team.js';

const databases: string[] = [];
const quiet = { onBatch() {}, onNotices() {}, onBug: console.error };
const inFolder = { storeMaxBytes: null, monotonicNow: 0, manualLeaseMs: 60_000, ...quiet, onBroken: console.error };

async function newDatabase(): Promise<string> {
  const address = await createDatabase(`migrate-keys-${process.pid}-${databases.length}`);
  databases.push(address);
  return address;
}

afterAll(async () => {
  for (const address of databases) await dropDatabase(address);
});

function migrate(from: string, to: string, ...flags: string[]) {
  return runCli(['migrate', '--from', from, ...flags], { env: { COTERIE_DATABASE_URL: to } });
}

async function migrated(from: string, to: string) {
  const { exitCode, stdout, stderr } = await migrate(from, to, '--json');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const { kinds } = JSON.parse(stdout) as { kinds: { kind: string; rows: number; changed: number }[] };
  return new Map(kinds.map(({ kind, ...counts }) => [kind, counts]));
}

describe('a hub with keys', () => {
  const data = tempFolder();
  const key = makeKeyText();
  const auth = { authorization: `Bearer ${key.text}` };
  let database: string;

  const statusAt = async (url: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}/v1/list_agents`, { method: 'POST', body: '{}', headers: { ...json, ...headers } })).status;

  beforeAll(async () => {
    database = await newDatabase();
    const hub = await startHubProcess({ data, env: embedded });
    await call(hub.url, 'register_agent', { agentId: 'ann' });
    await hub.stop();
    const store = await openSqliteStore({ ...inFolder, folder: data });
    const made = { sessionId: 'default', agentId: 'ann', capabilities: ['admin' as const], label: 'laptop', at: 1_000 };
    const entry = {
      sessionId: 'default',
      at: 1_000,
      actor: 'cli',
      keyId: null,
      address: '',
      target: 'ann',
      details: {},
    };
    const plan = { ...made, createdBy: 'cli', expiresAt: null, isOperator: true, isPerson: false };
    await store.createKey({ ...plan, id: key.id, hash: key.hash, audit: { ...entry, act: 'keys create' } });
    await store.close();
  });

  it('closes a hub that already runs open on the database, before anything else is there', async () => {
    const hub = await hubOn(database, { isShared: true });
    expect(await statusAt(hub.url)).toBe(200);
    const kinds = await migrated(data, database);
    expect(kinds.get('keys')).toMatchObject({ rows: 1, changed: 1 });
    expect(kinds.get('audit entries')?.rows).toBeGreaterThan(0);
    await eventually('the hub asks for a key', async () => (await statusAt(hub.url)) === 401);
    expect(await statusAt(hub.url, auth)).toBe(200);
    await hub.stop();
  });

  it('keeps it closed, the key revoked and the log, and numbers go on', async () => {
    const fresh = await newDatabase();
    await migrated(data, fresh);
    const store = await openPostgresStore({ url: fresh, ...quiet });
    const { entries } = await store.listAudit(everything);
    expect(entries.at(-1)).toMatchObject({ act: 'keys create', actor: 'cli', target: 'ann' });
    await store.appendAudit({ ...(entries[0] ?? fail()), act: 'later' });
    const after = await store.listAudit(everything);
    expect(after.entries[0]).toMatchObject({ act: 'later', id: (entries[0]?.id ?? 0) + 1 });
    const { id: _id, sessionId: _session, ...audit } = entries[0] ?? fail();
    await store.revokeKey({ sessionId: null, id: key.id, at: 2_000, audit });
    await store.close();
    const { exitCode, stderr } = await migrate(data, fresh);
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: expect.stringMatching(/\(keys, audit entries\)/) });
    const hub = await hubOn(fresh);
    expect(await statusAt(hub.url)).toBe(401);
    expect(await statusAt(hub.url, auth)).toBe(401);
    await hub.stop();
  });
});

const json = { 'content-type': 'application/json' };
const everything = { sessionId: 'default', actor: null, act: null, since: null, until: null, limit: 50, before: null };

function fail(): never {
  throw new Error('there is no entry');
}
