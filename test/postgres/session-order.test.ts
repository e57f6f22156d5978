// A session's order is held only where its row is locked.
import { expect, it } from 'vitest';
import { openPool } from '../../dist/store/postgres/connection/connections.js';
import { Database } from '../../dist/store/postgres/connection/database.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { findSession } from '../../dist/store/postgres/session/sessions.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

it('a session that another hub makes after it was looked for is looked for again', async () => {
  const folder = tempFolder();
  const url = (await databaseOf(folder)) ?? '';
  const other = await openPostgresStore({ url, onBatch() {}, onNotices() {}, onBug: console.error });
  const pools = { pool: openPool({ url, name: 'a', max: 1 }), sparePool: openPool({ url, name: 'b', max: 1 }) };
  const database = new Database({ ...pools, usesHubTime: false, timeoutMs: 20_000, onNotices() {} });
  const sessionId = 'new';
  const profile = { name: null, description: null, capabilities: null, owner: 'open', onlyIfMissing: true };
  let runs = 0;
  try {
    await database.write({ commit: 'flushed', ordered: [sessionId] }, async (tx) => {
      runs += 1;
      if (runs === 1) await other.registerAgent({ sessionId, id: 'ann', ...profile, at: 1 });
      expect(await findSession(tx, sessionId)).toBeDefined();
      await tx.factsChange(sessionId);
    });
    expect(runs).toBe(2);
  } finally {
    await database.close();
    await other.close();
  }
});
