// A page of the feed. Its position passes messages that the reader may not read, so that no one examines them twice.
import type { FeedPage, FeedQuery } from '../../ports/history.js';
import { toRecord, type MessageRow } from './message-row.js';

export function feedPage<Row extends MessageRow>(
  { afterSeq, limit }: FeedQuery,
  { rows, readable, salt }: { rows: readonly Row[]; readable: readonly Row[]; salt: number },
): FeedPage {
  return {
    messages: readable.map((row) => toRecord(row, salt)),
    position: rows.at(-1)?.seq ?? afterSeq,
    hasMore: rows.length === limit,
  };
}
