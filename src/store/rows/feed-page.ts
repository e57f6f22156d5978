// A page of the feed. Its position passes messages that the reader may not read, so that no one examines them twice.
import type { FeedPage, FeedQuery } from '../../ports/history.js';
import { toRecord, type MessageRow } from './message-row.js';
import { countWithin } from './rows-within.js';

/** Without the row that shows that there are others. */
export function examined<Row extends MessageRow>({ limit, bytesMax }: FeedQuery, rows: readonly Row[]): Row[] {
  return rows.slice(0, Math.min(limit, countWithin(rows, bytesMax)));
}

export function feedPage<Row extends MessageRow>(
  { afterSeq, withRecipients = false }: FeedQuery,
  { rows, readable, salt, hasMore }: { rows: readonly Row[]; readable: readonly Row[]; salt: number; hasMore: boolean },
): FeedPage {
  return {
    messages: readable.map((row) => toRecord(row, salt)),
    recipients: withRecipients ? readable.map(({ recipients }) => JSON.parse(recipients) as string[]) : [],
    position: rows.at(-1)?.seq ?? afterSeq,
    hasMore,
  };
}
