// A copy in doubt: free → leased (attempt counted, token set) → confirmed, or back in its old place.
import { mayNeedDigest } from '../../notify/digest.js';
import type { HandedCopies, LeasedCopies, LeaseRequest } from '../../ports/store.js';
import { copiesWithin } from '../rows/copies-within.js';
import { gatherDigest } from './digest.js';
import { endCopies } from './end-copies.js';
import type { FreeCopies, Statements } from './statements.js';
import type { Steps } from './steps.js';

export function* leaseCopies(tx: Statements, request: LeaseRequest): Steps<HandedCopies & { unread: number }> {
  let free = yield* freeAfterDigest(tx, request, 'skip');
  if (free.rows.length === 0) {
    const { hasFree, unread } = yield* tx.lookAgain({ ...request, after: null });
    if (!hasFree) return { copies: [], hasMore: false, threads: [], unread };
    // Another transaction holds all of them, and may take less: what it leaves would wake no one, so wait for it.
    free = yield* freeAfterDigest(tx, request, 'wait');
  }
  // Only what the answer will show is leased.
  const { copies, threads } = copiesWithin(request, free.rows.slice(0, request.limit), free);
  const keys = copies.map(({ key }) => key);
  const { unread } = yield* tx.leaseKeys(request, keys);
  return { copies, hasMore: free.rows.length > copies.length, threads, unread };
}

/** Many notices are first gathered into a digest, unless the reader filters. */
function* freeAfterDigest(tx: Statements, request: LeaseRequest, hold: 'skip' | 'wait'): Steps<FreeCopies> {
  const query = { ...request, after: null, limit: request.limit + 1 };
  const free = yield* tx.freeCopies(query, hold);
  const isGathered = mayNeedDigest(request.filter, free.rows) && (yield* gatherDigest(tx, request));
  return isGathered ? yield* tx.freeCopies(query, 'skip') : free;
}

/** Only copies still held by this token. */
export function* confirmLease(tx: Statements, lease: LeasedCopies & { at: number }): Steps<number[]> {
  const ending = { at: lease.at, state: 'read', reason: null } as const;
  const { seqs, digested } = yield* endCopies(tx, { kind: 'lease', lease }, ending);
  return [...seqs, ...digested];
}
