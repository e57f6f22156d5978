// How PostgreSQL reads a filtered inbox that is filed: by the index of the filter, and no copy beyond the page is looked at.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InboxFilter, Store } from '../../dist/ports/store.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const ben = { sessionId: 'default', agentId: 'ben' };
const copies = 20_000;
const original = Reflect.get(Client.prototype, 'query') as (...given: unknown[]) => unknown;
const asked: { text: string; values: unknown[] }[] = [];
let store: Store;
let client: Client;

beforeAll(async () => {
  const url = (await databaseOf(tempFolder())) ?? '';
  Reflect.set(Client.prototype, 'query', function collect(this: Client, ...given: unknown[]) {
    const [first, values] = given;
    const query = typeof first === 'string' ? { text: first, values } : (first as { text?: string; values?: unknown });
    asked.push({ text: query.text ?? '', values: Array.isArray(query.values) ? query.values : [] });
    return Reflect.apply(original, this, given);
  });
  store = await openPostgresStore({ url, onBatch() {}, onNotices() {}, onBug: console.error });
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben']) await store.registerAgent({ sessionId: 'default', id, ...nothing });
  client = new Client(url);
  await client.connect();
  await fill();
  while ((await store.fileCopies(ben)).hasMore);
});
afterAll(async () => {
  Reflect.set(Client.prototype, 'query', original);
  await client.end();
  await store.close();
});

/** As if it had been sent, none in what the tests filter by. */
async function fill(): Promise<void> {
  const columns =
    'session_id, seq, thread_id, sender, at, rank, role, type, priority, action, urgent, content, recipients';
  await client.query(
    `insert into message (${columns}, target, origin) select 'default', n, 'noise', 'busy', 1, 2, 'ASSISTANT', 'STATUS', 'normal', 'queue', 0,
       '[{"type":"text","text":"one of many"}]', '["ben"]', 'other', 1 from generate_series(1, ${copies}) n`,
  );
  await client.query(
    `insert into pending (session_id, agent_id, lane, rank, seq, why, sender)
     select 'default', 'ben', 0, 2, n, 'direct', null from generate_series(1, ${copies}) n`,
  );
}

function nodesOf(node: PlanNode | undefined): PlanNode[] {
  return node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** What the read does with copies, as it was asked. */
async function scansOf(filter: Omit<InboxFilter, 'wakingOnly'>): Promise<PlanNode[]> {
  asked.length = 0;
  const request = { ...ben, filter: { wakingOnly: false, ...filter }, limit: 10, after: null, now: 2 };
  expect(await store.peekCopies(request)).toMatchObject({ copies: [], hasMore: false });
  const [read] = asked.filter(({ text }) => text.includes('with lane0'));
  if (read === undefined) return expect.unreachable('nothing was read');
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${read.text}`,
    read.values,
  );
  return nodesOf(rows[0]?.['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'pending');
}

it.each([
  ['pending_by_sender', { from: 'ann' }],
  ['pending_by_thread', { threadIds: ['plans'] }],
  ['pending_by_target', { target: 'ben' }],
  ['pending_by_type', { type: 'QUERY' }],
] satisfies [string, Omit<InboxFilter, 'wakingOnly'>][])('uses %s for %j', async (index, filter) => {
  for (const statistics of ['none', 'current']) {
    if (statistics === 'current') await client.query('analyze pending');
    const scans = await scansOf(filter);
    expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(scans.map((node) => node['Index Name'])).toContain(index);
    const seen = scans.map(
      (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    );
    expect(Math.max(...seen)).toBeLessThanOrEqual(500);
  }
});
