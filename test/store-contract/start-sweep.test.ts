// What a start on SQLite frees is found by index, however many copies wait.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freeLeasesOfEarlierRuns } from '../../dist/store/sqlite/inbox/reap.js';
import type { Database } from '../../dist/store/sqlite/writer/driver.js';
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { Tx } from '../../dist/store/sqlite/writer/transaction.js';
import { tempFolder } from '../support/temp-folder.js';

let database: Database;
beforeAll(() => {
  database = openStoreDatabase({ folder: tempFolder(), storeMaxBytes: null });
});
afterAll(() => database.close());

it('the sweep of leases goes through the indexes of leased copies, not through all copies', () => {
  const statements: string[] = [];
  const recorded: Database = {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      statements.push(sql);
      return database.prepare(sql);
    },
    close: () => database.close(),
    get isTransaction() {
      return database.isTransaction;
    },
  };
  freeLeasesOfEarlierRuns(new Tx(recorded), { monotonicNow: 0, manualLeaseMs: 1_000 });
  const plans = statements.filter((sql) => /\bpending\b/.test(sql)).map(planOf);
  // Both are partial: they have leased copies only.
  expect(plans).toEqual([['SCAN pending USING INDEX pending_by_token'], ['SCAN pending USING INDEX pending_by_lease']]);
});

function planOf(sql: string): string[] {
  const parameters = [...sql.matchAll(/\?/g)].map(() => 0);
  const rows = database.prepare(`explain query plan ${sql}`).all(...parameters);
  // Safe: the columns of EXPLAIN QUERY PLAN.
  return (rows as { detail: string }[]).map(({ detail }) => detail);
}
