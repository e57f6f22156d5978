// The word index of SQLite is filled and merged in bounded steps.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseSearchQuery } from '../../dist/message/history/search-text.js';
import { indexedUpTo, indexLag } from '../../dist/store/sqlite/history/fill-history-indexes.js';
import {
  fillMax,
  fillSearchIndex,
  indexedRows,
  mergePages,
  mergeSearchIndex,
  partRows,
} from '../../dist/store/sqlite/search/search-index.js';
import type { Database } from '../../dist/store/sqlite/writer/driver.js';
import { readWindow } from '../../dist/store/sqlite/search/search-messages.js';
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { Tx } from '../../dist/store/sqlite/writer/transaction.js';
import { tempFolder } from '../support/temp-folder.js';

const short = 6_000;
const long = 300;
let database: Database;
let tx: Tx;

beforeAll(() => {
  database = openStoreDatabase({ folder: tempFolder(), storeMaxBytes: null });
  database.exec('pragma synchronous = off');
  tx = new Tx(database);
  tx.control('begin immediate');
  for (let n = 1; n <= short; n++) store(n, `a short text about part${n % 50} and rare${n % 997}`);
  for (let n = short + 1; n <= short + long; n++) {
    const words = Array.from({ length: 800 }, (_, index) => `word${(index * 7 + n * 131) % 20_000}`);
    store(n, `a long text: ${words.join(' ')} only${n}`);
  }
  tx.control('commit');
});
afterAll(() => database.close());

function store(n: number, text: string): void {
  tx.run(
    `insert into message (n, session_id, seq, sender, at, rank, role, priority, action, urgent, content, recipients)
     values (?, 's', ?, 'ann', 1, 2, 'ASSISTANT', 'normal', 'queue', 0, ?, '[]')`,
    [n, n, JSON.stringify([{ type: 'text', text }])],
  );
}

function step<T>(work: () => T): T {
  tx.control('begin immediate');
  const result = work();
  tx.control('commit');
  return result;
}

function numberOf(sql: string): number {
  return tx.get<{ value: number }>(sql)?.value ?? expect.unreachable();
}

const segments = () => numberOf('select count(distinct segid) as value from message_word_idx');

it('a step reads few messages and few characters, and merges nothing', () => {
  let steps = 0;
  const longest = numberOf('select max(length(content)) as value from message');
  for (; indexLag(tx, 'search') > 0; steps++) {
    const from = indexedUpTo(tx, 'search');
    step(() => fillSearchIndex(tx));
    const to = indexedUpTo(tx, 'search');
    const chars = numberOf(`select sum(length(content)) as value from message where n > ${from} and n <= ${to}`);
    expect(to - from).toBeLessThanOrEqual(fillMax.rows);
    expect(chars).toBeLessThan(fillMax.chars + longest);
    expect(segments()).toBe(steps + 1);
  }
  expect(steps).toBeGreaterThan(short / fillMax.rows + 10);
});

it('merging writes few pages at a time, and leaves few segments', () => {
  const pages = () => new Set(tx.all<{ id: number }>('select id from message_word_data').map(({ id }) => id));
  const written: number[] = [];
  for (let hasMore = true; hasMore;) {
    const before = pages();
    hasMore = step(() => mergeSearchIndex(tx));
    written.push([...pages()].filter((id) => !before.has(id)).length);
  }
  expect(written.length).toBeGreaterThan(3);
  // A step ends after the word that it is at.
  expect(Math.max(...written)).toBeLessThanOrEqual(mergePages + 4);
  expect(written.at(-1)).toBe(0);
  expect(segments()).toBeLessThan(10);
});

it('finds every message afterwards', () => {
  const found = (query: string) =>
    indexedRows(
      tx,
      { sessionId: 's', threadId: null, sender: null, terms: parseSearchQuery(query) },
      { from: 1, to: short + long, limit: short + long },
    );
  expect(found('short')).toHaveLength(short);
  expect(found('long')).toHaveLength(long);
  expect(found(`only${short + 1}`)).toEqual([short + 1]);
  expect(found('rare5')).toEqual([5_987, 4_990, 3_993, 2_996, 1_999, 1_002, 5]);
});

it('a word of every message has few entries in one place, and is found in all of them', () => {
  const numbers = [1, 2, 3, 4].flatMap((part) => [part * partRows - 1, part * partRows, part * partRows + 1]);
  step(() => {
    for (const n of numbers) store(n, 'everywhere and rare');
  });
  while (indexLag(tx, 'search') > 0) step(() => fillSearchIndex(tx));
  // Every entry of a word is written again by one step of merging.
  tx.control("create virtual table temp.word using fts5vocab('main', 'message_word', 'row')");
  const entries = tx.all<{ doc: number }>("select doc from temp.word where term like '%everywhere' order by term");
  expect(entries.map(({ doc }) => doc)).toEqual([1, 3, 3, 3, 2]);
  const query = {
    sessionId: 's',
    reader: { kind: 'all' as const },
    terms: parseSearchQuery('everywhere rare'),
    threadId: null,
    sender: 'ann',
    type: null,
    since: null,
    until: null,
    position: null,
    limit: 50,
  };
  const { hits } = readWindow(tx, query, { top: 5 * partRows, floor: null });
  expect(hits.map(({ seq }) => seq)).toEqual(numbers.toReversed());
});
