// Full-text search: takes candidates from the tail and from the word index, newest first, and reads, checks and scores each.
// The hits of a bounded window are returned best first, then those of the window before it.
import {
  candidatesAtOnce,
  isEnough,
  narrowestWindow,
  windowMax,
  type Hit,
} from '../../../message/history/search-page.js';
import type { SearchQuery } from '../../../ports/history.js';
import type { MessageRow } from '../../rows/message-row.js';
import { hitOf } from '../../rows/search-hit.js';
import type { SearchWindow } from '../../rules/statements.js';
import { readableRows } from '../history/reading-rights.js';
import { indexedUpTo, matchOf } from './search-index.js';
import type { SqlValue, Tx } from '../connection/transaction.js';

/** A window ends after this time. */
const windowMs = 100;

/** The columns that checking and scoring need; the rest is read only for the hits that are returned. */
type Candidate = Pick<MessageRow, 'session_id' | 'seq' | 'thread_id' | 'sender' | 'content' | 'extras' | 'recipients'>;
const candidateColumns = ['session_id', 'seq', 'thread_id', 'sender', 'content', 'extras', 'recipients'];

export async function readWindow(
  tx: Tx,
  query: SearchQuery,
  { top, floor }: SearchWindow,
): Promise<{ hits: Hit[]; floor: number }> {
  // Planned for each query: whether the word index or the message key is faster depends on the words.
  await tx.control('set local plan_cache_mode = force_custom_plan');
  const hits: Hit[] = [];
  const work = { hits, messages: 0, chars: 0 };
  const deadline = performance.now() + windowMs;
  for await (const { rows, scannedTo } of findCandidates(tx, query, { top, floor: floor ?? 1 })) {
    const readable = new Set(await readableRows(tx, query, rows));
    for (const row of rows) {
      const hit = readable.has(row) ? hitOf(query, row) : undefined;
      if (hit !== undefined) hits.push(hit);
      work.messages += 1;
      work.chars += row.content.length;
      if (isEnough(work, floor)) return { hits, floor: row.seq };
    }
    const isLate = performance.now() > deadline + (floor === null ? 0 : windowMs * 10);
    if (isLate) return { hits, floor: scannedTo };
  }
  return { hits, floor: floor ?? 1 };
}

interface Candidates {
  /** Newest first. */
  rows: Candidate[];
  /** After these rows everything down to this seq is scanned. */
  scannedTo: number;
}

interface SeqRange {
  low: number;
  high: number;
}

/** Messages that may match, newest first: the whole tail, then the matches of the index. */
async function* findCandidates(
  tx: Tx,
  query: SearchQuery,
  { top, floor }: { top: number; floor: number },
): AsyncGenerator<Candidates> {
  const indexed = await indexedUpTo(tx, query.sessionId);
  yield* candidatesWithin(tx, query, { low: Math.max(indexed + 1, floor), high: top, source: tail });
  const indexSource = byWords(query);
  // Common words that never occur together cost by the length of the range, so it is widened only after a cheap one.
  let width = narrowestWindow;
  let high = Math.min(top, indexed);
  while (high >= floor) {
    const started = performance.now();
    const low = Math.max(floor, high - width + 1);
    yield* candidatesWithin(tx, query, { low, high, source: indexSource });
    high = low - 1;
    if (performance.now() - started < windowMs / 4) width *= 4;
  }
}

/** Where candidates come from: a join to the message, with the values of its placeholders. */
type Source = (range: SeqRange) => { join: string; values: SqlValue[] };

/** Uses message's key. */
const tail: Source = () => ({ join: '', values: [] });

/** Uses message_word's key or message_word_by_word, whichever is faster, then message's key. */
function byWords(query: SearchQuery): Source {
  const match = matchOf(query);
  return ({ low, high }) => ({
    join: `join message_word w on w.session_id = m.session_id and w.seq = m.seq
           and w.seq >= ? and w.seq <= ? and w.words @@ ?::tsquery`,
    values: [low, high, match],
  });
}

async function* candidatesWithin(
  tx: Tx,
  query: SearchQuery,
  { low, high, source }: SeqRange & { source: Source },
): AsyncGenerator<Candidates> {
  let top = high;
  while (top >= low) {
    const { rows, isAll } = await readCandidates(tx, query, { low, high: top, source });
    const last = rows.at(-1)?.seq;
    const scannedTo = isAll || last === undefined ? low : last;
    yield { rows, scannedTo };
    top = scannedTo - 1;
  }
}

/** In one round trip, with at most as much text as a call may read. */
async function readCandidates(
  tx: Tx,
  { sessionId, threadId, sender, type, since, until }: SearchQuery,
  { low, high, source }: SeqRange & { source: Source },
): Promise<{ rows: Candidate[]; isAll: boolean }> {
  const { join, values } = source({ low, high });
  const rows = await tx.all<Candidate & { found: number }>(
    `select ${candidateColumns.join(', ')}, found from (
       select ${candidateColumns.join(', ')}, count(*) over () as found,
         sum(octet_length(content)) over (order by seq desc) - octet_length(content) as bytes_before
       from (
         select ${candidateColumns.map((column) => `m.${column}`).join(', ')} from message m ${join}
         where m.session_id = ? and m.seq >= ? and m.seq <= ?
           and (?::text is null or m.thread_id = ?) and (?::text is null or m.sender = ?)
           and (?::text is null or m.type = ?) and m.at >= ? and m.at <= ?
         order by m.seq desc limit ?
       ) newest
     ) affordable where bytes_before < ? order by seq desc`,
    [
      ...values,
      sessionId,
      low,
      high,
      threadId,
      threadId,
      sender,
      sender,
      type,
      type,
      since ?? Number.MIN_SAFE_INTEGER,
      until ?? Number.MAX_SAFE_INTEGER,
      candidatesAtOnce,
      windowMax.chars,
    ],
  );
  const found = rows[0]?.found ?? 0;
  return { rows, isAll: found < candidatesAtOnce && rows.length === found };
}
