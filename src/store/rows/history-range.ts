// The filters of a history query, for both stores. In SQL, `m` is the message.
import type { HistoryQuery } from '../../ports/history.js';
import type { Receipt } from '../../ports/store.js';

export interface HistoryRange extends Pick<
  HistoryQuery,
  'sessionId' | 'threadId' | 'sender' | 'recipient' | 'type' | 'since' | 'until'
> {
  /** Only lower seqs. */
  before: number;
}

export interface FoundSeqs {
  seqs: number[];
  /** The lowest seq that was scanned, if there are entries below it; else null. */
  scannedTo: number | null;
}

/** Entries of one index that a call scans when further filters apply. */
export const entriesMax = 5_000;

/** Filters that no index covers. */
export function messageTests({ type, since, until }: HistoryRange): { sql: string; values: (string | number)[] }[] {
  return [
    ...(type === null ? [] : [{ sql: 'm.type = ?', values: [type] }]),
    ...(since === null ? [] : [{ sql: 'm.at >= ?', values: [since] }]),
    ...(until === null ? [] : [{ sql: 'm.at <= ?', values: [until] }]),
  ];
}

/** If the query names a recipient that has a copy, only that copy counts. */
export function hasStatus(deliveries: readonly Receipt[], { status, recipient }: HistoryQuery): boolean {
  if (status === null) return true;
  const own = deliveries.filter((copy) => copy.recipient === recipient);
  return (own.length > 0 ? own : deliveries).some(({ state }) => state === status);
}
