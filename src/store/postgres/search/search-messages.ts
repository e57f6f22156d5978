// Full text search: candidates from the tail and from the index of words, newest first; each is read again, checked and
// scored. The best of a bounded stretch come first, then those of the stretch before it.
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

/** A stretch ends after so long, where the index has much to compare. */
const lookMs = 100;

/** What is needed of a candidate to judge it; the rest is read of those that are shown. */
type Candidate = Pick<MessageRow, 'session_id' | 'seq' | 'thread_id' | 'sender' | 'content' | 'extras' | 'recipients'>;
const candidateColumns = ['session_id', 'seq', 'thread_id', 'sender', 'content', 'extras', 'recipients'];

export async function readWindow(
  tx: Tx,
  query: SearchQuery,
  { top, floor }: SearchWindow,
): Promise<{ hits: Hit[]; floor: number }> {
  // Planned again each time: only the words tell whether the word index or the order of messages is the shorter way.
  await tx.control('set local plan_cache_mode = force_custom_plan');
  const hits: Hit[] = [];
  const work = { hits, messages: 0, chars: 0 };
  const deadline = performance.now() + lookMs;
  for await (const { rows, scannedTo } of findCandidates(tx, query, { top, floor: floor ?? 1 })) {
    const readable = new Set(
      query.reader === null
        ? rows
        : await readableRows(tx, { sessionId: query.sessionId, agentId: query.reader }, rows),
    );
    for (const row of rows) {
      const hit = readable.has(row) ? hitOf(query, row) : undefined;
      if (hit !== undefined) hits.push(hit);
      work.messages += 1;
      work.chars += row.content.length;
      if (isEnough(work, floor)) return { hits, floor: row.seq };
    }
    const isLate = performance.now() > deadline + (floor === null ? 0 : lookMs * 10);
    if (isLate) return { hits, floor: scannedTo };
  }
  return { hits, floor: floor ?? 1 };
}

interface Candidates {
  /** Newest first. */
  rows: Candidate[];
  /** With these rows everything down to this seq has been looked at. */
  scannedTo: number;
}

interface SeqRange {
  low: number;
  high: number;
}

/** Messages that may have the words, newest first: all of the tail, then what the index names. */
async function* findCandidates(
  tx: Tx,
  query: SearchQuery,
  { top, floor }: { top: number; floor: number },
): AsyncGenerator<Candidates> {
  const indexed = await indexedUpTo(tx, query.sessionId);
  yield* candidatesWithin(tx, query, { low: Math.max(indexed + 1, floor), high: top }, tail);
  const named = byWords(query);
  // Words that are common, but never together, cost by the length of the stretch: a longer one only after a cheap one.
  let width = narrowestWindow;
  let high = Math.min(top, indexed);
  while (high >= floor) {
    const started = performance.now();
    const low = Math.max(floor, high - width + 1);
    yield* candidatesWithin(tx, query, { low, high }, named);
    high = low - 1;
    if (performance.now() - started < lookMs / 4) width *= 4;
  }
}

/** Where candidates come from: what is joined to the message, with what its question marks stand for. */
type Source = (range: SeqRange) => { join: string; values: SqlValue[] };

/** Uses message's key. */
const tail: Source = () => ({ join: '', values: [] });

/** Uses message_word's key or message_word_by_word, whichever has less to show, then message's key. */
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
  { low, high }: SeqRange,
  source: Source,
): AsyncGenerator<Candidates> {
  let top = high;
  while (top >= low) {
    const { rows, isAll } = await readCandidates(tx, query, { low, high: top }, source);
    const last = rows.at(-1)?.seq;
    const scannedTo = isAll || last === undefined ? low : last;
    yield { rows, scannedTo };
    top = scannedTo - 1;
  }
}

/** One round trip, and no more text in it than a call may read. */
async function readCandidates(
  tx: Tx,
  { sessionId, threadId, sender, type, since, until }: SearchQuery,
  { low, high }: SeqRange,
  source: Source,
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
