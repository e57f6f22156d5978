// Finds the messages of a history query by thread, sender or reader, newest first. Scans a bounded number of entries, however
// long the history is.
import { entriesMax, messageTests, type FoundSeqs, type HistoryRange } from '../../rows/history-range.js';
import type { SqlValue, Tx } from '../connection/transaction.js';

/** A part of a statement with the values of its placeholders. */
interface Sql {
  sql: string;
  values: SqlValue[];
}

/** A filter by thread, sender or reader: as an index scan, or as a test on a message. */
interface Key {
  /** Selects seqs, newest first. */
  entries(limit: number): Sql;
  test: Sql;
}

export async function findHistorySeqs(tx: Tx, range: HistoryRange, limit: number): Promise<FoundSeqs> {
  const [first, ...others] = await shortestFirst(tx, keysOf(range));
  if (first === undefined) return { seqs: [], scannedTo: null };
  const tests = [...others.map(({ test }) => test), ...messageTests(range)];
  const entriesWanted = tests.length === 0 ? limit : entriesMax;
  const entry = first.entries(entriesWanted);
  // uses the index of the shortest key, then message's key
  const rows = await tx.all<{ low: number | null; entries: number; seq: number | null }>(
    `with entry as materialized (${entry.sql}),
     meant as (
       select m.seq from entry join message m on m.session_id = ? and m.seq = entry.seq
       where true${tests.map(({ sql }) => ` and ${sql}`).join('')} order by m.seq desc limit ?
     )
     select edge.low, edge.entries, meant.seq
     from (select min(seq) as low, count(*) as entries from entry) edge left join meant on true
     order by meant.seq desc`,
    [...entry.values, range.sessionId, ...tests.flatMap(({ values }) => values), limit],
  );
  const seqs = rows.flatMap(({ seq }) => seq ?? []);
  if (seqs.length === limit) return { seqs, scannedTo: seqs.at(-1) ?? null };
  const [edge] = rows;
  return { seqs, scannedTo: edge?.entries === entriesWanted ? edge.low : null };
}

function keysOf({ sessionId, threadId, sender, recipient, before }: HistoryRange): Key[] {
  return [
    // message_by_thread
    ...(threadId === null ? [] : [columnKey('thread_id', threadId, { sessionId, before })]),
    // message_by_sender
    ...(sender === null ? [] : [columnKey('sender', sender, { sessionId, before })]),
    ...(recipient === null ? [] : [readerKey(recipient, { sessionId, before })]),
  ];
}

type Scope = Pick<HistoryRange, 'sessionId' | 'before'>;

function columnKey(column: 'thread_id' | 'sender', value: string, { sessionId, before }: Scope): Key {
  return {
    entries: (limit) => ({
      sql: `select seq from message where session_id = ? and ${column} = ? and seq < ? order by seq desc limit ?`,
      values: [sessionId, value, before, limit],
    }),
    test: { sql: `m.${column} = ?`, values: [value] },
  };
}

/** Recipients of a copy, and the group or agent that the sender addressed. */
function readerKey(reader: string, { sessionId, before }: Scope): Key {
  const own = [sessionId, reader, before];
  return {
    // message_by_target, delivery_by_agent, and pending's key in each of its lanes and ranks
    entries: (limit) => ({
      sql: `select seq from (
        (select seq from message where session_id = ? and target = ? and seq < ? order by seq desc limit ?)
        union (select seq from delivery where session_id = ? and agent_id = ? and seq < ? order by seq desc limit ?)
        union (select p.seq from generate_series(0, 1) lane cross join generate_series(0, 3) rank cross join lateral
          (select seq from pending where session_id = ? and agent_id = ? and pending.lane = lane.lane
             and pending.rank = rank.rank and seq < ? order by seq desc limit ?) p)
      ) own order by seq desc limit ?`,
      values: [...own, limit, ...own, limit, ...own, limit, limit],
    }),
    // Ids have no characters that JSON escapes.
    test: { sql: '(m.target = ? or strpos(m.recipients, ?) > 0)', values: [reader, `"${reader}"`] },
  };
}

/** Counts at most `entriesMax` of each. */
async function shortestFirst(tx: Tx, keys: Key[]): Promise<Key[]> {
  if (keys.length <= 1) return keys;
  const lists = keys.map((key) => key.entries(entriesMax));
  // uses the index of each key
  const row = await tx.get<Record<string, number>>(
    `select ${lists.map(({ sql }, index) => `(select count(*) from (${sql}) list) as key_${index}`).join(', ')}`,
    lists.flatMap(({ values }) => values),
  );
  const lengths = new Map(keys.map((key, index) => [key, row?.[`key_${index}`] ?? 0]));
  return keys.toSorted((a, b) => (lengths.get(a) ?? 0) - (lengths.get(b) ?? 0));
}
