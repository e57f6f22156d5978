// Full-text search: returns the best hits of a bounded window of the newest messages, then those of the window before it.
import { pageOf, type Hit } from '../../message/history/search-page.js';
import { snippetOf } from '../../message/history/search-snippet.js';
import type { SearchPage, SearchQuery } from '../../ports/history.js';
import { toRecord } from '../rows/message-row.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

export function* searchMessages(tx: Statements, query: SearchQuery): Steps<SearchPage> {
  const { sessionId, position } = query;
  const session = yield* tx.findSession(sessionId);
  if (session === undefined) return { hits: [], window: { top: 0, floor: 0 }, next: null };
  const lastSeq = yield* tx.lastSeqOf(sessionId);
  const top = Math.min(position?.top ?? lastSeq, lastSeq);
  const { hits, floor } = yield* tx.readWindow(query, { top, floor: position?.shown?.floor ?? null });
  const { page, next } = pageOf(query, { top, floor }, hits);
  const { shown, isFull } = yield* showHits(tx, query, page);
  const last = shown.at(-1);
  // What is left of a page that is full comes with the next one.
  const after = isFull && last !== undefined ? { floor, score: last.score, seq: last.message.seq } : undefined;
  return { hits: shown, window: { top, floor }, next: after === undefined ? next : { top, shown: after } };
}

function* showHits(
  tx: Statements,
  { sessionId, terms }: SearchQuery,
  hits: readonly Hit[],
): Steps<{ shown: SearchPage['hits']; isFull: boolean }> {
  const salt = (yield* tx.findSession(sessionId))?.salt ?? 0;
  const seqs = hits.map(({ seq }) => seq);
  const { rows, isFull } = yield* tx.messagesWithin(sessionId, seqs);
  const rowOf = new Map(rows.map((row) => [row.seq, row]));
  const shown = hits.flatMap(({ seq, text, score }) => {
    const row = rowOf.get(seq);
    return row === undefined ? [] : [{ message: toRecord(row, salt), snippet: snippetOf(terms, text), score }];
  });
  return { shown, isFull };
}
