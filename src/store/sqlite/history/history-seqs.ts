// Finds the messages of a history query, newest first: in the tail, then in the indexes by thread, sender and reader. Scans
// a bounded number of entries, however long the history is.
import { entriesMax, messageTests, type FoundSeqs, type HistoryRange } from '../../rows/history-range.js';
import type { SqlValue } from '../writer/driver.js';
import { indexedUpTo } from './fill-history-indexes.js';
import type { Tx } from '../writer/transaction.js';

interface Key {
  table: 'thread_message' | 'sender_message' | 'reader_message';
  column: 'thread_id' | 'agent_id';
  value: string;
}

interface Test {
  sql: string;
  values: SqlValue[];
}

export function findHistorySeqs(tx: Tx, range: HistoryRange, limit: number): FoundSeqs {
  const tail = tailSeqs(tx, range, limit);
  if (tail.length === limit) return { seqs: tail, scannedTo: tail.at(-1) ?? null };
  const indexed = indexedSeqs(tx, range, limit - tail.length);
  return { seqs: [...tail, ...indexed.seqs], scannedTo: indexed.scannedTo };
}

/** The messages that are not indexed yet: few, adjacent on disk, and newer than all indexed ones. */
function tailSeqs(tx: Tx, range: HistoryRange, limit: number): number[] {
  const { threadId, sender, recipient } = range;
  const tests: Test[] = [
    ...(threadId === null ? [] : [{ sql: 'm.thread_id = ?', values: [threadId] }]),
    ...(sender === null ? [] : [{ sql: 'm.sender = ?', values: [sender] }]),
    // Ids have no characters that JSON escapes.
    ...(recipient === null
      ? []
      : [{ sql: '(m.target = ? or instr(m.recipients, ?) > 0)', values: [recipient, `"${recipient}"`] }]),
    ...messageTests(range),
  ];
  // by row number; the plus keeps SQLite from scanning the whole session by message_by_seq
  const rows = tx.all<{ seq: number }>(
    `select seq from message m where n > ? and +session_id = ? and +seq < ?${allOf(tests)} order by n desc limit ?`,
    [indexedUpTo(tx), range.sessionId, range.before, ...valuesOf(tests), limit],
  );
  return rows.map(({ seq }) => seq);
}

const allOf = (tests: readonly Test[]) => tests.map(({ sql }) => ` and ${sql}`).join('');
const valuesOf = (tests: readonly Test[]) => tests.flatMap(({ values }) => values);

function indexedSeqs(tx: Tx, range: HistoryRange, limit: number): FoundSeqs {
  const span = findSpan(tx, range);
  const [first, ...others] = shortestFirst(tx, range);
  if (span === undefined || first === undefined) return { seqs: [], scannedTo: null };
  const tests = [...others.map(entryTest), ...rowTest(messageTests(range))];
  const entries = tests.length === 0 ? limit : entriesMax;
  const within = [range.sessionId, first.value, span.low, Math.min(span.high, range.before - 1)];
  const ofFirst = `from ${first.table} i where session_id = ? and ${first.column} = ? and seq >= ? and seq <= ?`;
  // uses the key of the shortest index
  const edge = tx.get<{ seq: number | null; count: number }>(
    `select min(seq) as seq, count(*) as count from (select seq ${ofFirst} order by seq desc limit ?)`,
    [...within, entries],
  );
  const low = edge?.seq ?? span.low;
  // uses the key of the shortest index, then those of the others, then message_by_seq
  const rows = tx.all<{ seq: number }>(`select seq ${ofFirst} and seq >= ?${allOf(tests)} order by seq desc limit ?`, [
    ...within,
    low,
    ...valuesOf(tests),
    limit,
  ]);
  const seqs = rows.map(({ seq }) => seq);
  if (seqs.length === limit) return { seqs, scannedTo: seqs.at(-1) ?? null };
  return { seqs, scannedTo: edge?.count === entries ? low : null };
}

function entryTest({ table, column, value }: Key): Test {
  const sql = `exists (select 1 from ${table} o where o.session_id = i.session_id and o.${column} = ? and o.seq = i.seq)`;
  return { sql, values: [value] };
}

function rowTest(tests: readonly Test[]): Test[] {
  if (tests.length === 0) return [];
  const sql = `exists (select 1 from message m where m.session_id = i.session_id and m.seq = i.seq${allOf(tests)})`;
  return [{ sql, values: valuesOf(tests) }];
}

function shortestFirst(tx: Tx, { sessionId, threadId, sender, recipient }: HistoryRange): Key[] {
  const keys: Key[] = [
    ...(threadId === null ? [] : [{ table: 'thread_message', column: 'thread_id', value: threadId } as const]),
    ...(sender === null ? [] : [{ table: 'sender_message', column: 'agent_id', value: sender } as const]),
    ...(recipient === null ? [] : [{ table: 'reader_message', column: 'agent_id', value: recipient } as const]),
  ];
  if (keys.length <= 1) return keys;
  const lengths = new Map(keys.map((key) => [key, lengthOf(tx, sessionId, key)]));
  return keys.toSorted((a, b) => (lengths.get(a) ?? 0) - (lengths.get(b) ?? 0));
}

/** Counts at most `entriesMax`. */
function lengthOf(tx: Tx, sessionId: string, { table, column, value }: Key): number {
  const row = tx.get<{ count: number }>(
    `select count(*) as count from (select 1 from ${table} where session_id = ? and ${column} = ? limit ?)`,
    [sessionId, value, entriesMax],
  );
  return row?.count ?? 0;
}

/** The range of indexed seqs that can be in the time range; undefined when there are none. */
export function findSpan(
  tx: Tx,
  { sessionId, since, until }: Pick<HistoryRange, 'sessionId' | 'since' | 'until'>,
): { low: number; high: number } | undefined {
  if (since === null && until === null) return { low: 1, high: Number.MAX_SAFE_INTEGER };
  // uses message_span's key: one row for hundreds of messages
  const row = tx.get<{ low: number | null; high: number | null }>(
    `select min(first_seq) as low, max(last_seq) as high from message_span
     where session_id = ? and latest_at >= ? and earliest_at <= ?`,
    [sessionId, since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER],
  );
  return row === undefined || row.low === null || row.high === null ? undefined : { low: row.low, high: row.high };
}
