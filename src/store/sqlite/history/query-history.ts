// History by thread, sender or recipient, newest first: the outbox and the history of a session.
import type { HistoryPage, HistoryQuery } from '../../../ports/history.js';
import { hasStatus } from '../../rows/history-range.js';
import { toRecord } from '../../rows/message-row.js';
import { findHistorySeqs } from './history-seqs.js';
import { messageColumns, type MessageRow } from './message-rows.js';
import { receiptsOf } from '../inbox/receipts.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';

/** Messages and copies that one call reads; bounded, so that the writer is not blocked. */
const workMax = 1_000;

export function queryHistory(tx: Tx, query: HistoryQuery): HistoryPage {
  const range = { ...query, before: query.before ?? Number.MAX_SAFE_INTEGER };
  // One more than the limit shows whether there is a next page. A status filter needs every message read, up to workMax.
  const found = findHistorySeqs(tx, range, query.status === null ? query.limit + 1 : workMax);
  const entries: HistoryPage['entries'] = [];
  let work = 0;
  for (const [index, seq] of found.seqs.entries()) {
    if (work >= workMax) return { entries, before: found.seqs[index - 1] ?? null };
    const { entry, copies } = readEntry(tx, query, seq);
    work += 1 + copies;
    if (entry === undefined) continue;
    if (entries.length === query.limit) return { entries, before: entries.at(-1)?.message.seq ?? null };
    entries.push(entry);
  }
  return { entries, before: found.scannedTo };
}

/** The message, if it passes the filter, and how many copies were read. */
function readEntry(
  tx: Tx,
  query: HistoryQuery,
  seq: number,
): { entry?: HistoryPage['entries'][number] | undefined; copies: number } {
  const { sessionId } = query;
  // uses message_by_seq
  const row = tx.get<MessageRow>(`select ${messageColumns} from message where session_id = ? and seq = ?`, [
    sessionId,
    seq,
  ]);
  if (row === undefined) return { copies: 0 };
  const needsCopies = query.status !== null || query.withDeliveries;
  const deliveries = needsCopies ? receiptsOf(tx, row, query.now) : [];
  const salt = findSession(tx, sessionId)?.salt ?? 0;
  const entry = hasStatus(deliveries, query) ? { message: toRecord(row, salt), deliveries } : undefined;
  return { entry, copies: deliveries.length };
}
