// Which messages a question about history may mean: found in the indexes by thread, sender and reader, newest first, and
// in the tail behind them. Looks at a bounded number of entries, however long the history is.
import type { SqlValue } from './driver.js';
import { indexedUpTo } from './fill-history-indexes.js';
import type { Tx } from './transaction.js';

export interface HistoryRange {
  sessionId: string;
  threadId: string | null;
  sender: string | null;
  recipient: string | null;
  since: number | null;
  until: number | null;
  /** Only lower seqs. */
  before: number;
}

export interface FoundSeqs {
  seqs: number[];
  /** The lowest seq that was looked at, when there are entries below it; else null. */
  lookedTo: number | null;
}

interface Key {
  table: 'thread_message' | 'sender_message' | 'reader_message';
  column: 'thread_id' | 'agent_id';
  value: string;
}

/** Entries of one index compared with the others in a call, and counted to find the shortest. */
const entriesMax = 20_000;
const countedMax = 5_000;

export function findHistorySeqs(tx: Tx, range: HistoryRange, limit: number): FoundSeqs {
  const tail = tailSeqs(tx, range, limit);
  const lastOfTail = tail.at(-1);
  if (tail.length === limit && lastOfTail !== undefined) return { seqs: tail, lookedTo: lastOfTail };
  const indexed = indexedSeqs(tx, range, limit - tail.length);
  return { seqs: [...tail, ...indexed.seqs], lookedTo: indexed.lookedTo };
}

/** The messages that no index has yet: few, neighbours on disk, and all newer than those that one has. */
function tailSeqs(tx: Tx, range: HistoryRange, limit: number): number[] {
  const { threadId, sender, recipient } = range;
  const tests: [string, SqlValue[]][] = [
    ...(threadId === null ? [] : [['thread_id = ?', [threadId]] satisfies [string, SqlValue[]]]),
    ...(sender === null ? [] : [['sender = ?', [sender]] satisfies [string, SqlValue[]]]),
    // Ids have no character that JSON would write otherwise.
    ...(recipient === null
      ? []
      : [['(target = ? or instr(recipients, ?) > 0)', [recipient, `"${recipient}"`]] satisfies [string, SqlValue[]]]),
  ];
  const where = tests.map(([sql]) => ` and ${sql}`).join('');
  // by row number
  const rows = tx.all<{ seq: number }>(
    `select seq from message where n > ? and session_id = ? and seq < ?${where} order by n desc limit ?`,
    ...[indexedUpTo(tx), range.sessionId, range.before],
    ...tests.flatMap(([, values]) => values),
    limit,
  );
  return rows.map(({ seq }) => seq);
}

function indexedSeqs(tx: Tx, range: HistoryRange, limit: number): FoundSeqs {
  const span = findSpan(tx, range);
  const [first, ...others] = shortestFirst(tx, range);
  if (span === undefined || first === undefined) return { seqs: [], lookedTo: null };
  const entries = others.length === 0 ? limit : entriesMax;
  const within = [range.sessionId, first.value, span.low, Math.min(span.high, range.before - 1)];
  const ofFirst = `from ${first.table} i where session_id = ? and ${first.column} = ? and seq >= ? and seq <= ?`;
  // uses the key of the shortest index
  const edge = tx.get<{ seq: number | null; count: number }>(
    `select min(seq) as seq, count(*) as count from (select seq ${ofFirst} order by seq desc limit ?)`,
    ...[...within, entries],
  );
  const low = edge?.seq ?? span.low;
  const inOthers = others.map(
    ({ table, column }) =>
      ` and exists (select 1 from ${table} o where o.session_id = i.session_id and o.${column} = ? and o.seq = i.seq)`,
  );
  // uses the keys of all indexes named
  const seqs = tx
    .all<{ seq: number }>(
      `select seq ${ofFirst} and seq >= ?${inOthers.join('')} order by seq desc limit ?`,
      ...[...within, low, ...others.map(({ value }) => value), limit],
    )
    .map(({ seq }) => seq);
  if (seqs.length === limit) return { seqs, lookedTo: seqs.at(-1) ?? null };
  return { seqs, lookedTo: edge?.count === entries ? low : null };
}

function shortestFirst(tx: Tx, { sessionId, threadId, sender, recipient }: HistoryRange): Key[] {
  const keys: Key[] = [
    ...(threadId === null ? [] : [{ table: 'thread_message', column: 'thread_id', value: threadId } as const]),
    ...(sender === null ? [] : [{ table: 'sender_message', column: 'agent_id', value: sender } as const]),
    ...(recipient === null ? [] : [{ table: 'reader_message', column: 'agent_id', value: recipient } as const]),
  ];
  if (keys.length <= 1) return keys;
  const lengths = keys.map(({ table, column, value }) => {
    const row = tx.get<{ count: number }>(
      `select count(*) as count from (select 1 from ${table} where session_id = ? and ${column} = ? limit ?)`,
      ...[sessionId, value, countedMax],
    );
    return row?.count ?? 0;
  });
  const [shortest] = [...lengths.entries()].toSorted(([, a], [, b]) => a - b);
  const first = keys[shortest?.[0] ?? 0];
  return first === undefined ? keys : [first, ...keys.filter((key) => key !== first)];
}

/** The indexed seqs whose times can be meant; undefined when none can. */
export function findSpan(
  tx: Tx,
  { sessionId, since, until }: Pick<HistoryRange, 'sessionId' | 'since' | 'until'>,
): { low: number; high: number } | undefined {
  if (since === null && until === null) return { low: 1, high: Number.MAX_SAFE_INTEGER };
  // uses message_span's key: one row for hundreds of messages
  const row = tx.get<{ low: number | null; high: number | null }>(
    `select min(first_seq) as low, max(last_seq) as high from message_span
     where session_id = ? and latest_at >= ? and earliest_at <= ?`,
    ...[sessionId, since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER],
  );
  return row === undefined || row.low === null || row.high === null ? undefined : { low: row.low, high: row.high };
}
