// History by thread, sender or recipient, newest first: the outbox and the history of a session.
import type { HistoryPage, HistoryQuery } from '../../../ports/history.js';
import type { Receipt } from '../../../ports/store.js';
import { hasStatus } from '../../rows/history-range.js';
import { toRecord, type MessageRow } from '../../rows/message-row.js';
import { findHistorySeqs } from './history-seqs.js';
import { PageBytes } from '../../rows/rows-within.js';
import { messagesWithin } from './message-rows.js';
import { recipientsOf } from '../../rows/receipt-row.js';
import { receiptsOfAll } from '../inbox/receipts.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../connection/transaction.js';

/** Messages and copies that one call reads. */
const workMax = 1_000;
/** Messages per statement: with a status filter most calls need only the first ones. */
const chunk = 100;

export async function queryHistory(tx: Tx, query: HistoryQuery): Promise<HistoryPage> {
  const session = await findSession(tx, query.sessionId);
  if (session === undefined) return { entries: [], before: null };
  const range = { ...query, before: query.before ?? Number.MAX_SAFE_INTEGER };
  // One more than the limit shows whether there is a next page. A status filter needs every message read, up to workMax.
  const found = await findHistorySeqs(tx, range, query.status === null ? query.limit + 1 : workMax);
  const entries: HistoryPage['entries'] = [];
  const page = new PageBytes();
  let work = 0;
  let last: number | null = null;
  for await (const { row, deliveries } of rowsWithCopies(tx, query, found.seqs)) {
    if (work >= workMax) return { entries, before: last };
    work += 1 + deliveries.length;
    last = row.seq;
    if (!hasStatus(deliveries, query)) continue;
    if (entries.length === query.limit || !page.fits(row))
      return { entries, before: entries.at(-1)?.message.seq ?? null };
    entries.push({ message: toRecord(row, session.salt), deliveries });
  }
  return { entries, before: found.scannedTo };
}

interface RowWithCopies {
  row: MessageRow;
  /** Empty if not requested. */
  deliveries: Receipt[];
}

async function* rowsWithCopies(
  tx: Tx,
  { sessionId, status, withDeliveries, now }: HistoryQuery,
  seqs: readonly number[],
): AsyncGenerator<RowWithCopies> {
  let from = 0;
  while (from < seqs.length) {
    const asked = seqs.slice(from, from + chunk);
    const { rows, isFull } = await messagesWithin(tx, sessionId, asked);
    from += isFull ? asked.indexOf(rows.at(-1)?.seq ?? 0) + 1 : asked.length;
    for (const part of partsOf(rows)) {
      const receipts = status !== null || withDeliveries ? await receiptsOfAll(tx, part, now) : [];
      for (const [index, row] of part.entries()) yield { row, deliveries: receipts[index] ?? [] };
    }
  }
}

/** Splits the rows so that a part has about `workMax` copies; a message to a large group may be alone. */
function partsOf(rows: readonly MessageRow[]): MessageRow[][] {
  const parts: MessageRow[][] = [];
  let copies = workMax;
  for (const row of rows) {
    if (copies >= workMax) {
      parts.push([]);
      copies = 0;
    }
    parts.at(-1)?.push(row);
    copies += recipientsOf(row).length;
  }
  return parts;
}
