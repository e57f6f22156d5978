// The ranges of an inbox that can have copies which pass a filter, each read in inbox order through an index. For both stores;
// in SQL, `p` is the copy and `m` its message. See docs/decisions/0026-deep-inboxes.md.
import { lanes, rankOf } from '../../message/send/route.js';
import type { InboxFilter } from '../../ports/store.js';
import { testsSql } from './copy-row.js';

export interface InboxRange {
  /** Null: pending's key. */
  index: string | null;
  where: string;
  values: (string | number)[];
}

/** What of a deep inbox is filed, and how far a read may go that comes before the rest is. */
export interface Filed {
  /** All copies up to this seq are filed. */
  upTo: number;
  /**
   * Null: few copies after it are not, and they are scanned. Otherwise so many are not that the read ends within this rank,
   * before the first copy of it that is not filed.
   */
  endsInRank: number | null;
}

type Found = readonly [index: string, where: string, value: string];

/** Whether the filter is about what only a filed copy tells. The rank of a copy, thus its priority, is in its key. */
export function needsFiled({ from, threadIds, target, type }: InboxFilter): boolean {
  return [from, threadIds, target, type].some((wanted) => wanted !== undefined);
}

const ranksAfterInterrupts = [1, 2, 3];

export function lanesOf({ wakingOnly }: InboxFilter): number[] {
  return wakingOnly ? [lanes.waking] : [lanes.waking, lanes.plain];
}

/**
 * Copies up to `upTo` are filed, or have an empty sender. No copy is in two ranges. The ranges are in inbox order, in which
 * copies are locked, as far as they do not overlap.
 */
export function filedRanges(filter: InboxFilter, lane: number, { upTo, endsInRank }: Filed): InboxRange[] {
  const { priority } = filter;
  const ranks = priority === undefined ? ranksAfterInterrupts : [rankOf({ action: 'queue', priority })];
  const lastRank = endsInRank ?? Infinity;
  // Interrupts pass every filter.
  const interrupts = { index: null, where: 'p.lane = ? and p.rank = 0', values: [lane] };
  const ranges = ranks.map((rank) => rangesOfRank(filter, { lane, rank }, upTo));
  return [
    interrupts,
    ...ranges.flatMap(({ filed, others }, index) => {
      const rank = ranks[index] ?? Infinity;
      return rank > lastRank ? [] : rank === lastRank ? filed : [...filed, others];
    }),
  ];
}

function rangesOfRank(
  filter: InboxFilter,
  { lane, rank }: { lane: number; rank: number },
  filedUpTo: number,
): { filed: InboxRange[]; others: InboxRange } {
  const ofMessage = testsSql(filter, 'm');
  const ofCopy = testsSql(filter, 'p');
  const place = 'p.lane = ? and p.rank = ?';
  const filed = [
    {
      index: 'pending_by_sender',
      where: `p.sender = '' and ${place} and p.seq <= ? and ${ofMessage.where}`,
      values: [lane, rank, filedUpTo, ...ofMessage.values],
    },
    ...foundBy(filter).map(([index, where, value]) => ({
      index,
      where: `${where} and ${place} and p.seq <= ? and ${ofCopy.where}`,
      values: [value, lane, rank, filedUpTo, ...ofCopy.values],
    })),
  ];
  const others = {
    index: null,
    where: `${place} and p.seq > ? and ${ofMessage.where}`,
    values: [lane, rank, filedUpTo, ...ofMessage.values],
  };
  return { filed, others };
}

/** The most selective index comes first, by experience: a thread has fewer copies than a sender, and a type the most. */
function foundBy({ from, threadIds, target, type }: InboxFilter): Found[] {
  if (threadIds !== undefined) {
    return [...new Set(threadIds)].map((id) => ['pending_by_thread', 'p.thread_id = ?', id]);
  }
  if (from !== undefined) return [['pending_by_sender', 'p.sender = ?', from]];
  if (target !== undefined) return [['pending_by_target', 'p.target = ?', target]];
  return type === undefined ? [] : [['pending_by_type', 'p.type = ?', type]];
}
