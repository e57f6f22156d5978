// History by thread, sender or recipient, newest first: the outbox and the history of a session.
import type { HistoryPage, HistoryQuery } from '../../../ports/history.js';
import { hasStatus } from '../../rows/history-range.js';
import { toRecord } from '../../rows/message-row.js';
import { PageBytes } from '../../rows/rows-within.js';
import { findHistorySeqs } from './history-seqs.js';
import { messageColumns, type MessageRow } from './message-rows.js';
import { receiptsOf } from '../inbox/receipts.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';

/** Messages and copies that one call reads; bounded, so that other reads have their turn. */
const workMax = 1_000;

export function queryHistory(tx: Tx, query: HistoryQuery): HistoryPage {
  const range = { ...query, before: query.before ?? Number.MAX_SAFE_INTEGER };
  // One more than the limit shows whether there is a next page. A status filter needs every message read, up to workMax.
  const found = findHistorySeqs(tx, range, query.status === null ? query.limit + 1 : workMax);
  const entries: HistoryPage['entries'] = [];
  const page = new PageBytes();
  let work = 0;
  for (const [index, seq] of found.seqs.entries()) {
    if (work >= workMax) return { entries, before: found.seqs[index - 1] ?? null };
    const { row, entry, copies } = readEntry(tx, query, seq);
    work += 1 + copies;
    if (row === undefined || entry === undefined) continue;
    if (entries.length === query.limit || !page.fits(row))
      return { entries, before: entries.at(-1)?.message.seq ?? null };
    entries.push(entry);
  }
  return { entries, before: found.scannedTo };
}

/** The message, if it passes the filter, and how many copies were read. */
function readEntry(
  tx: Tx,
  query: HistoryQuery,
  seq: number,
): { row?: MessageRow; entry?: HistoryPage['entries'][number] | undefined; copies: number } {
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
  return { row, entry, copies: deliveries.length };
}
