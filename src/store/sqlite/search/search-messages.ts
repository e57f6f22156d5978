// Full-text search: takes candidates from the tail and from the word index, newest first, and reads, checks and scores each.
// The hits of a bounded window are returned best first, then those of the window before it.
import { candidatesAtOnce, isEnough, narrowestWindow, type Hit } from '../../../message/history/search-page.js';
import type { SearchQuery } from '../../../ports/history.js';
import { hitOf } from '../../rows/search-hit.js';
import { indexedUpTo } from '../history/fill-history-indexes.js';
import { findSpan } from '../history/history-seqs.js';
import type { SearchWindow } from '../../rules/statements.js';
import type { MessageRow } from '../history/message-rows.js';
import { mayReadRow } from '../history/reading-rights.js';
import { indexedRows, partStart } from './search-index.js';
import type { Tx } from '../writer/transaction.js';

/** A window ends after this time, so that other reads have their turn. */
const windowMs = 100;

/** The columns that checking and scoring need; the rest is read only for the hits that are returned. */
type Candidate = Pick<
  MessageRow,
  'n' | 'session_id' | 'seq' | 'thread_id' | 'sender' | 'at' | 'type' | 'content' | 'extras' | 'recipients'
>;
const candidateColumns = 'n, session_id, seq, thread_id, sender, at, type, content, extras, recipients';

export function readWindow(tx: Tx, query: SearchQuery, { top, floor }: SearchWindow): { hits: Hit[]; floor: number } {
  const hits: Hit[] = [];
  const work = { hits, messages: 0, chars: 0 };
  const deadline = performance.now() + windowMs;
  for (const { rows, scannedTo } of findCandidates(tx, query, top)) {
    for (const n of rows) {
      // by row number
      const row = tx.get<Candidate>(`select ${candidateColumns} from message where n = ? and session_id = ?`, [
        n,
        query.sessionId,
      ]);
      if (row === undefined) continue;
      if (floor !== null && row.seq < floor) return { hits, floor };
      const hit = passesFilters(tx, row, query) ? hitOf(query, row) : undefined;
      if (hit !== undefined) hits.push(hit);
      work.messages += 1;
      work.chars += row.content.length;
      if (isEnough(work, floor)) return { hits, floor: row.seq };
    }
    const isLate = performance.now() > deadline + (floor === null ? 0 : windowMs * 10);
    if (isLate && scannedTo !== null) return { hits, floor: scannedTo };
  }
  return { hits, floor: floor ?? 1 };
}

function passesFilters(tx: Tx, row: Candidate, query: SearchQuery): boolean {
  const { threadId, sender, type, since, until, reader } = query;
  const isInScope = (threadId === null || row.thread_id === threadId) && (sender === null || row.sender === sender);
  const isInTime = (since === null || row.at >= since) && (until === null || row.at <= until);
  const matches = isInScope && isInTime && (type === null || row.type === type);
  return matches && mayReadRow(tx, row, reader);
}

interface Candidates {
  /** Row numbers, newest first. */
  rows: number[];
  /** After these rows everything down to this seq is scanned; null when more rows of the same range follow. */
  scannedTo: number | null;
}

/** Messages that may match, newest first: the whole tail, then the matches of the index. */
function* findCandidates(tx: Tx, query: SearchQuery, top: number): Generator<Candidates> {
  const indexed = indexedUpTo(tx, 'search');
  yield* tailCandidates(tx, query, { indexed, top });
  // Without complete history indexes, the seqs of the time range are not known.
  const span = indexedUpTo(tx) < indexed ? { low: 1, high: top } : findSpan(tx, query);
  if (span === undefined) return;
  // Common words that never occur together cost by the length of the range, so it is widened only after a cheap one.
  let width = narrowestWindow;
  let high = Math.min(top, span.high);
  while (high >= span.low) {
    const started = performance.now();
    const low = Math.max(span.low, high - width + 1);
    yield* indexedCandidates(tx, query, { indexed, low, high });
    high = low - 1;
    if (performance.now() - started < windowMs / 4) width *= 4;
  }
}

function* tailCandidates(
  tx: Tx,
  { sessionId }: SearchQuery,
  { indexed, top }: { indexed: number; top: number },
): Generator<Candidates> {
  let below = rowUpTo(tx, sessionId, top) + 1;
  while (below > indexed + 1) {
    // By seq, so that the rows of other sessions are not scanned.
    const rows = tx.all<{ n: number; seq: number }>(
      'select n, seq from message where session_id = ? and seq <= ? and n > ? and n < ? order by seq desc limit ?',
      [sessionId, top, indexed, below, candidatesAtOnce],
    );
    const last = rows.at(-1);
    yield { rows: rows.map(({ n }) => n), scannedTo: last?.seq ?? null };
    if (last === undefined || rows.length < candidatesAtOnce) return;
    below = last.n;
  }
}

/** The matches of the index in a range of seqs, part by part. */
function* indexedCandidates(
  tx: Tx,
  query: SearchQuery,
  { indexed, low, high }: { indexed: number; low: number; high: number },
): Generator<Candidates> {
  const from = rowAt(tx, query.sessionId, low);
  let to = Math.min(indexed, rowUpTo(tx, query.sessionId, high));
  for (;;) {
    const start = Math.max(from, partStart(to));
    const rows = indexedRows(tx, query, { from: start, to, limit: candidatesAtOnce });
    const last = rows.length < candidatesAtOnce ? start : (rows.at(-1) ?? start);
    yield { rows, scannedTo: last <= from ? low : null };
    if (last <= from) return;
    to = last - 1;
  }
}

/** The row of this seq, or of the next higher one; beyond all rows if there is none, as after the removal of the newest. */
function rowAt(tx: Tx, sessionId: string, seq: number): number {
  // uses message_by_seq
  const row = tx.get<{ n: number }>('select n from message where session_id = ? and seq >= ? order by seq limit 1', [
    sessionId,
    seq,
  ]);
  return row?.n ?? Number.MAX_SAFE_INTEGER;
}

/** The row of this seq, or of the next lower one. */
function rowUpTo(tx: Tx, sessionId: string, seq: number): number {
  // uses message_by_seq
  const row = tx.get<{ n: number }>(
    'select n from message where session_id = ? and seq <= ? order by seq desc limit 1',
    [sessionId, seq],
  );
  return row?.n ?? 0;
}
