// Puts leased or peeked copies into the answer both reading operations give.
import { encodeCursor } from '../contract/cursor.js';
import type { waitForMentions } from '../contract/operations/wait-for-mentions.js';
import type { OutputOf } from '../contract/operation.js';
import type { HandedCopies, LeasedCopies } from '../ports/store.js';
import { viewCopy } from './view.js';

export type HandedOut = OutputOf<typeof waitForMentions>;

export function handOut(
  reader: string,
  found: HandedCopies & { cursor: string | null; waitedMs: number; timedOut: boolean },
): HandedOut {
  return {
    messages: found.copies.map((copy) => viewCopy(copy, reader)),
    ...(found.threads.length === 0 ? {} : { threads: found.threads }),
    timedOut: found.timedOut,
    waitedMs: Math.round(found.waitedMs),
    hasMore: found.hasMore,
    cursor: found.cursor,
  };
}

/** Acknowledges the whole answer when it comes back in a later call. */
export function leaseCursor(lease: LeasedCopies): string | null {
  const [first] = lease.keys.toSorted((a, b) => a.rank - b.rank || a.seq - b.seq);
  if (first === undefined) return null;
  return encodeCursor({
    kind: 'lease',
    token: lease.token,
    count: lease.keys.length,
    rank: first.rank,
    seq: first.seq,
  });
}
