// An import beside the first use of its name at another hub, also of a release that does not know imports: the session that is
// used is never deleted.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../dist/ports/store.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { eventually } from '../support/eventually.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

let first: Store;
let second: Store;
let direct: Client;
/** A transaction does not see that others begin to wait. */
let watcher: Client;

beforeAll(async () => {
  const url = (await databaseOf(tempFolder())) ?? '';
  const open = () => openPostgresStore({ url, onBatch() {}, onNotices() {}, onBug: console.error });
  first = await open();
  second = await open();
  direct = new Client(url);
  watcher = new Client(url);
  await Promise.all([direct.connect(), watcher.connect()]);
});
afterAll(async () => {
  await first.close();
  await second.close();
  await Promise.all([direct.end(), watcher.end()]);
});

const nothing = { name: null, description: null, capabilities: null, owner: 'open', onlyIfMissing: false };

function register(store: Store, sessionId: string, id = 'ann') {
  return store.registerAgent({ sessionId, id, ...nothing, at: Date.now() });
}

const audit = { actor: 'cli', keyId: null, address: '', act: 'create_session', details: {} } as const;
const profile = { application: null, annotations: {}, expiresAt: null, createdBySession: null };

function create(store: Store, sessionId: string) {
  const at = Date.now();
  return store.createSession({ sessionId, at, ...profile, audit: { ...audit, sessionId, at, target: sessionId } });
}

const runOf = (sessionId: string) => ({ sessionId, importId: `import-${sessionId}`, at: Date.now() });

async function stage(sessionId: string): Promise<void> {
  const chain = { lines: 0, hash: '', counts: {} };
  const progress = { chain, sessionId, lastKind: '' } as unknown as Parameters<Store['stageImport']>[0]['progress'];
  await first.stageImport({
    ...runOf(sessionId),
    sessionId: 'default',
    part: 1,
    target: sessionId,
    progress,
    lines: '',
  });
}

const begin = (sessionId: string) =>
  first.beginImport({ ...runOf(sessionId), from: 'default', createdBySession: null });

const message = (seq: number) => ({
  kind: 'message',
  seq,
  sender: 'zoe',
  at: 1,
  rank: 2,
  role: 'ASSISTANT',
  priority: 'normal',
  action: 'queue',
  urgent: 0,
  content: [{ type: 'text', text: 'imported' }],
  recipients: [],
  hops: 0,
  mentions: [],
});

const insert = (sessionId: string, seq: number) =>
  first.insertImported({ ...runOf(sessionId), lines: [JSON.stringify(message(seq))], owner: 'open', salt: 1 });

async function clear(sessionId: string, keepsName = false): Promise<void> {
  while ((await first.clearImport({ ...runOf(sessionId), keepsName })).hasMore);
}

async function count(table: string, sessionId: string): Promise<number> {
  const column = table === 'session' ? 'id' : 'session_id';
  const { rows } = await direct.query<{ count: string }>(`select count(*) from ${table} where ${column} = $1`, [
    sessionId,
  ]);
  return Number(rows[0]?.count);
}

/** As a hub does that does not know import_run. */
async function beginAsOldHub(sessionId: string): Promise<void> {
  await direct.query('begin');
  await direct.query("insert into session (id, salt, created_at, annotations) values ($1, 1, 1, '{}')", [sessionId]);
  await direct.query(
    `insert into agent (session_id, id, name, description, capabilities, kind, owner, registered_at, last_seen_at)
     values ($1, 'ann', 'ann', '', '[]', 'agent', 'open', 1, 1)`,
    [sessionId],
  );
  await direct.query('commit');
}

describe('only one of the two begins', () => {
  it.each([
    ['an agent registers', register],
    ['an administrator creates the session', create],
  ])('when %s', async (name, use) => {
    for (let round = 0; round < 30; round++) {
      const sessionId = `${use.name}-${round}`;
      await stage(sessionId);
      const [imported, used] = await Promise.allSettled([begin(sessionId), use(second, sessionId)]);
      await first.deleteImport({ sessionId: 'default', importId: runOf(sessionId).importId });
      const refused = [imported, used].flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
      expect([name, refused]).toEqual([name, [used.status === 'rejected' ? 'BUSY' : 'SESSION_TAKEN']]);
      expect(await count('session', sessionId)).toBe(used.status === 'rejected' ? 0 : 1);
      if (imported.status === 'fulfilled') await clear(sessionId);
    }
  });
});

describe('a session that a hub of an earlier release begins while it is imported', () => {
  it('ends the import at its next step, and is not cleared', async () => {
    await stage('old');
    await begin('old');
    await insert('old', 1);
    await beginAsOldHub('old');
    await expect(insert('old', 2)).rejects.toMatchObject({ code: 'SESSION_TAKEN' });
    await expect(first.reviewImported({ ...runOf('old'), place: { pass: 0, after: null } })).rejects.toMatchObject({
      code: 'SESSION_TAKEN',
    });
    await clear('old', true);
    await expect(insert('old', 2)).rejects.toMatchObject({ code: 'SESSION_TAKEN' });
    await clear('old');
    expect([await count('session', 'old'), await count('agent', 'old'), await count('message', 'old')]).toEqual([
      1, 1, 1,
    ]);
    expect(await first.isBeingImported({ sessionId: 'old' })).toBe(false);
  });

  it('is not cleared by a step that is under way', async () => {
    await stage('late');
    await begin('late');
    await insert('late', 1);
    await direct.query('begin');
    await direct.query("select 1 from message where session_id = 'late' for update");
    const cleared = first.clearImport({ ...runOf('late'), keepsName: false });
    cleared.catch(() => {});
    await eventually('the step waits for the message', async () => {
      const waits = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%message%'";
      return (await watcher.query(waits)).rows.length > 0;
    });
    await direct.query("insert into session (id, salt, created_at, annotations) values ('late', 1, 1, '{}')");
    await direct.query('commit');
    await expect(cleared).rejects.toMatchObject({ code: 'SESSION_TAKEN' });
    expect(await count('message', 'late')).toBe(1);
    await clear('late');
    expect(await count('message', 'late')).toBe(1);
    expect(await first.isBeingImported({ sessionId: 'late' })).toBe(false);
  });
});
