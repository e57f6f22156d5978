// What a question about history means, for both stores. In their statements `m` is the message.
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
  /** The lowest seq that was looked at, when there are entries below it; else null. */
  lookedTo: number | null;
}

/** What only the message itself can answer. */
export function messageTests({ type, since, until }: HistoryRange): { sql: string; values: (string | number)[] }[] {
  return [
    ...(type === null ? [] : [{ sql: 'm.type = ?', values: [type] }]),
    ...(since === null ? [] : [{ sql: 'm.at >= ?', values: [since] }]),
    ...(until === null ? [] : [{ sql: 'm.at <= ?', values: [until] }]),
  ];
}

/** The recipient's own copy counts, where one is named that got one. */
export function hasStatus(deliveries: readonly Receipt[], { status, recipient }: HistoryQuery): boolean {
  if (status === null) return true;
  const own = deliveries.filter((copy) => copy.recipient === recipient);
  return (own.length > 0 ? own : deliveries).some(({ state }) => state === status);
}
