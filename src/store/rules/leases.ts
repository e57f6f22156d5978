// The lease of a copy: free → leased (attempt counted, token set) → confirmed, or free again at its old position.
import { messageIdOf } from '../../contract/ids.js';
import { mayNeedDigest } from '../../notify/digest.js';
import type { CopyKey, HandedCopies, LeasedCopies, LeaseReference, LeaseRequest, Store } from '../../ports/store.js';
import { copiesWithin } from '../rows/copies-within.js';
import { leasesOf } from '../rows/leased-copies.js';
import { gatherDigest } from './digest.js';
import { endCopies } from './end-copies.js';
import { saltOf } from './sessions.js';
import type { FreeCopies, Statements } from './statements.js';
import type { Steps } from './steps.js';

export function* leaseCopies(tx: Statements, request: LeaseRequest): Steps<HandedCopies & { unread: number }> {
  let free = yield* freeAfterDigest(tx, request, 'skip');
  if (free.rows.length === 0) {
    const { hasFree, unread } = yield* tx.recheckFree({ ...request, after: null });
    if (!hasFree) return { copies: [], hasMore: false, threads: [], unread };
    // Another transaction has locked all of them and may lease fewer. No wake-up follows for the rest, so wait for it.
    free = yield* freeAfterDigest(tx, request, 'wait');
  }
  // Leases only what the result shows.
  const { copies, threads } = copiesWithin(request, free.rows.slice(0, request.limit), free);
  const keys = copies.map(({ key }) => key);
  const { unread } = yield* tx.leaseKeys(request, keys);
  return { copies, hasMore: free.rows.length > copies.length, threads, unread };
}

/** Many notices are combined into a digest first, unless the reader filters. */
function* freeAfterDigest(tx: Statements, request: LeaseRequest, hold: 'skip' | 'wait'): Steps<FreeCopies> {
  const query = { ...request, after: null, limit: request.limit + 1 };
  const free = yield* tx.freeCopies(query, hold);
  const hasDigest = mayNeedDigest(request.filter, free.rows) && (yield* gatherDigest(tx, request));
  return hasDigest ? yield* tx.freeCopies(query, 'skip') : free;
}

/** Only copies still held by this token. */
export function* confirmLease(tx: Statements, lease: LeasedCopies & { at: number }): Steps<number[]> {
  const ending = { at: lease.at, state: 'read', reason: null } as const;
  const { seqs, digested } = yield* endCopies(tx, { kind: 'lease', lease }, ending);
  return [...seqs, ...digested];
}

/** Finds the copies of an earlier result by its cursor, which has the position of the first copy and the count. */
export function* findLease(tx: Statements, reference: LeaseReference): Steps<{ lease: LeasedCopies; ids: string[] }> {
  const { sessionId, agentId, token } = reference;
  const keys = yield* tx.keysOfLease(reference);
  return { lease: { sessionId, agentId, token, keys }, ids: yield* idsOf(tx, sessionId, keys) };
}

/** The leased copies of this agent, by message ids or up to a seq, grouped by lease. */
export function* findLeased(
  tx: Statements,
  query: Parameters<Store['findLeased']>[0],
): Steps<{ leases: LeasedCopies[]; ids: string[]; notFound: string[] }> {
  const { sessionId, agentId, ids, upTo } = query;
  const byId = ids === null || ids.length === 0 ? [] : yield* tx.leasedById({ sessionId, agentId }, ids);
  const rows = byId.flatMap(({ row }) => row ?? []);
  if (upTo !== null) rows.push(...(yield* tx.leasedUpTo({ sessionId, agentId }, upTo)));
  return {
    leases: leasesOf(sessionId, agentId, rows),
    ids: yield* idsOf(tx, sessionId, rows),
    notFound: byId.flatMap(({ id, row }) => (row === undefined ? [id] : [])),
  };
}

function* idsOf(tx: Statements, sessionId: string, keys: readonly CopyKey[]): Steps<string[]> {
  if (keys.length === 0) return [];
  const salt = yield* saltOf(tx, sessionId);
  return keys.map(({ seq }) => messageIdOf(seq, salt));
}
