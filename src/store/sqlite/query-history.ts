// History by thread, sender or recipient, newest first: the outbox and the history of a session.
import type { HistoryPage, HistoryQuery } from '../../ports/history.js';
import type { Receipt } from '../../ports/store.js';
import { findHistorySeqs } from './history-seqs.js';
import { messageColumns, toRecord, type MessageRow } from './message-rows.js';
import { receiptsOf } from './receipts.js';
import { findSession } from './sessions.js';
import type { Tx } from './transaction.js';

/** Messages and copies looked at in one call: the writer must get back to sending. */
const workMax = 2_000;

export function queryHistory(tx: Tx, query: HistoryQuery): HistoryPage {
  const before = query.before ?? Number.MAX_SAFE_INTEGER;
  const found = findHistorySeqs(tx, { ...query, before }, workMax);
  const salt = findSession(tx, query.sessionId)?.salt ?? 0;
  const entries: HistoryPage['entries'] = [];
  let work = 0;
  let lookedTo = found.lookedTo;
  for (const [index, seq] of found.seqs.entries()) {
    if (work >= workMax) {
      lookedTo = found.seqs[index - 1] ?? null;
      break;
    }
    const entry = look(tx, query, seq);
    work += 1 + (entry.deliveries?.length ?? 0);
    if (entry.row === undefined) continue;
    // One more than asked for was found: there is a next page.
    if (entries.length === query.limit) return { entries, before: entries.at(-1)?.message.seq ?? null };
    entries.push({ message: toRecord(entry.row, salt), deliveries: entry.deliveries ?? [] });
  }
  return { entries, before: lookedTo };
}

/** The message, if it is meant, and the copies that were looked at. */
function look(tx: Tx, query: HistoryQuery, seq: number): { row?: MessageRow; deliveries?: Receipt[] } {
  // uses message_by_seq
  const row = tx.get<MessageRow>(
    `select ${messageColumns} from message where session_id = ? and seq = ?`,
    ...[query.sessionId, seq],
  );
  if (row === undefined || !fits(row, query)) return {};
  if (query.status === null && !query.withDeliveries) return { row };
  const deliveries = receiptsOf(tx, row, query.now);
  return hasStatus(deliveries, query) ? { row, deliveries } : { deliveries };
}

export function fits(row: MessageRow, { type, since, until }: Pick<HistoryQuery, 'type' | 'since' | 'until'>): boolean {
  return (
    (type === null || row.type === type) && (since === null || row.at >= since) && (until === null || row.at <= until)
  );
}

function hasStatus(deliveries: readonly Receipt[], { status, recipient }: HistoryQuery): boolean {
  if (status === null) return true;
  const own = deliveries.filter((copy) => copy.recipient === recipient);
  return (own.length > 0 ? own : deliveries).some(({ state }) => state === status);
}
