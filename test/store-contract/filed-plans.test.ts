// How SQLite reads a filtered inbox that is filed: each range by its index and in inbox order, and nothing is scanned.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InboxFilter } from '../../dist/ports/store.js';
import { freeCopies } from '../../dist/store/sqlite/inbox/read-inbox.js';
import { runBatch } from '../../dist/store/sqlite/writer/batch.js';
import type { Database } from '../../dist/store/sqlite/writer/driver.js';
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { Tx } from '../../dist/store/sqlite/writer/transaction.js';
import { tempFolder } from '../support/temp-folder.js';

const ben = { sessionId: 'default', agentId: 'ben' };
let database: Database;

beforeAll(() => {
  database = openStoreDatabase({ folder: tempFolder(), storeMaxBytes: null });
});
afterAll(() => database.close());

/** The plans of all statements on `pending` that `run` makes. */
function plansOf(run: (tx: Tx) => void): string[] {
  const prepared = new Set<string>();
  const recorded: Database = {
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    get isTransaction() {
      return database.isTransaction;
    },
    prepare(sql) {
      prepared.add(sql);
      return database.prepare(sql);
    },
  };
  run(new Tx(recorded));
  const statements = [...prepared].filter((sql) => /\bpending\b/.test(sql));
  expect(statements).not.toEqual([]);
  return statements.flatMap((sql) => {
    const values = [...sql.matchAll(/\?/g)].map(() => null);
    return database
      .prepare(`explain query plan ${sql}`)
      .all(...values)
      .map((row) => (row as { detail: string }).detail);
  });
}

const ofCopies = (plans: string[]) => plans.filter((plan) => /^\w+ (p|pending)\b/.test(plan));

it.each([
  ['pending_by_sender', { from: 'ann' }],
  ['pending_by_thread', { threadIds: ['plans'] }],
  ['pending_by_target', { target: 'ben' }],
  ['pending_by_type', { type: 'QUERY' }],
  ['pending_by_thread', { from: 'ann', threadIds: ['plans', 'others'], type: 'QUERY', priority: 'high' }],
] satisfies [string, Omit<InboxFilter, 'wakingOnly'>][])('uses %s for %j', (index, filter) => {
  const filed = { upTo: 1_000, endsInRank: null };
  const query = { ...ben, filter: { wakingOnly: false, ...filter }, limit: 10, after: null, now: 2, filed };
  const plans = plansOf((tx) => freeCopies(tx, query));
  expect(plans.filter((plan) => /SCAN|TEMP B-TREE/.test(plan))).toEqual([]);
  const column = { pending_by_sender: 'sender', pending_by_thread: 'thread_id', pending_by_target: 'target' }[index];
  const byIndex = `SEARCH p USING INDEX ${index} (session_id=? AND agent_id=? AND ${column ?? 'type'}=? AND lane=? AND rank=? AND`;
  expect(plans.filter((plan) => plan.startsWith(byIndex))).not.toEqual([]);
  // Also the others are found by rank.
  expect(ofCopies(plans).filter((plan) => !/lane=\? AND rank=\?/.test(plan))).toEqual([]);
});

it('looks for inboxes to file, and files, by keys', () => {
  const look = plansOf((tx) => runBatch(tx, [['inboxesToFile', { after: ben, limit: 10 }]]));
  const file = plansOf((tx) => runBatch(tx, [['fileCopies', ben]]));
  const found = [...look, ...file];
  expect(ofCopies(found).filter((plan) => !/\(session_id=\? AND agent_id=\?/.test(plan))).toEqual([]);
  expect(found.filter((plan) => /^SCAN (a|p|agent|pending|message|m)\b/.test(plan))).toEqual([]);
});
