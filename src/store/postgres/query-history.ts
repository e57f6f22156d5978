// History by thread, sender or recipient, newest first: the outbox and the history of a session.
import type { HistoryPage, HistoryQuery } from '../../ports/history.js';
import type { Receipt } from '../../ports/store.js';
import { hasStatus } from '../rows/history-range.js';
import { toRecord, type MessageRow } from '../rows/message-row.js';
import { findHistorySeqs } from './history-seqs.js';
import { messagesOf } from './message-rows.js';
import { receiptsOf } from './receipts.js';
import { findSession } from './sessions.js';
import type { Tx } from './transaction.js';

/** Messages and copies looked at one by one in a call. */
const workMax = 1_000;
/** Messages read at once: of those that are looked at one by one, most calls need only the first. */
const chunk = 100;

export async function queryHistory(tx: Tx, query: HistoryQuery): Promise<HistoryPage> {
  const session = await findSession(tx, query.sessionId);
  if (session === undefined) return { entries: [], before: null };
  const range = { ...query, before: query.before ?? Number.MAX_SAFE_INTEGER };
  // One more than asked for tells whether there is a next page; where each must be looked at, as many as there is time for.
  const found = await findHistorySeqs(tx, range, query.status === null ? query.limit + 1 : workMax);
  const entries: HistoryPage['entries'] = [];
  let work = 0;
  let last: number | null = null;
  for await (const row of rowsOf(tx, query.sessionId, found.seqs)) {
    if (work >= workMax) return { entries, before: last };
    const isFull = entries.length === query.limit;
    // Without a status every message is meant, and this one begins the next page.
    const deliveries = isFull && query.status === null ? [] : await copiesOf(tx, query, row);
    work += 1 + deliveries.length;
    last = row.seq;
    if (!hasStatus(deliveries, query)) continue;
    if (isFull) return { entries, before: entries.at(-1)?.message.seq ?? null };
    entries.push({ message: toRecord(row, session.salt), deliveries });
  }
  return { entries, before: found.lookedTo };
}

async function* rowsOf(tx: Tx, sessionId: string, seqs: readonly number[]): AsyncGenerator<MessageRow> {
  for (let from = 0; from < seqs.length; from += chunk) {
    yield* await messagesOf(tx, sessionId, seqs.slice(from, from + chunk));
  }
}

async function copiesOf(tx: Tx, { status, withDeliveries, now }: HistoryQuery, row: MessageRow): Promise<Receipt[]> {
  return status !== null || withDeliveries ? receiptsOf(tx, row, now) : [];
}
