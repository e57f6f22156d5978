// The lease of a copy: free → leased (attempt counted, token set) → confirmed, or free again at its old position.
import { messageIdOf } from '../../contract/ids.js';
import { mayNeedDigest } from '../../notify/digest.js';
import type {
  CopyKey,
  HandedCopies,
  LeasedCopies,
  LeaseReference,
  LeaseRequest,
  PeekRequest,
  Store,
  TakenCopies,
} from '../../ports/store.js';
import { copiesWithin } from '../rows/copies-within.js';
import { toCopy } from '../rows/copy-row.js';
import { lanesOf, needsFiled, type Filed } from '../rows/filed-ranges.js';
import { leasesOf } from '../rows/leased-copies.js';
import { countWithin } from '../rows/rows-within.js';
import { gatherDigest } from './digest.js';
import { endCopies } from './end-copies.js';
import { filedOf, isDeep } from '../sql/filing.js';
import { saltOf } from './sessions.js';
import type { FreeCopies, FreeQuery, Statements } from './statements.js';
import type { Steps } from './steps.js';

export function* leaseCopies(tx: Statements, request: LeaseRequest): Steps<TakenCopies> {
  const filed = yield* filedFor(tx, request);
  const query = { ...request, after: null, limit: request.limit + 1, filed };
  const free = yield* freeAfterDigest(tx, request, query);
  const isWhole = filed === null || filed.endsInRank === null;
  if (!isWhole && free.rows.length === 0) {
    return { copies: [], hasMore: false, threads: [], unread: 0, mustFile: true };
  }
  // Leases only what the result shows.
  const count = Math.min(request.limit, countWithin(free.rows, request.bytesMax));
  const { copies, threads } = copiesWithin(request, free.rows.slice(0, count), free);
  const keys = copies.map(({ key }) => key);
  const { unread } = yield* tx.leaseKeys(request, keys);
  return { copies, hasMore: !isWhole || free.rows.length > copies.length, threads, unread };
}

export function* peekCopies(tx: Statements, request: PeekRequest): Steps<HandedCopies & { mustFile?: true }> {
  const filed = yield* filedFor(tx, request);
  const query = { ...request, limit: request.limit + 1, filed };
  const { rows, salt, headersOf } = yield* tx.freeCopies(query, 'none');
  const isWhole = filed === null || filed.endsInRank === null;
  if (!isWhole && rows.length === 0) return { copies: [], hasMore: false, threads: [], mustFile: true };
  const count = Math.min(request.limit, countWithin(rows, request.bytesMax));
  const copies = rows.slice(0, count).map((row) => toCopy(row, salt, row.attempts + 1));
  return { copies, hasMore: !isWhole || rows.length > count, threads: headersOf(copies) };
}

/** Null for an inbox that is scanned. */
function* filedFor(
  tx: Statements,
  { sessionId, agentId, filter, scansUnfiled }: Pick<PeekRequest, 'sessionId' | 'agentId' | 'filter' | 'scansUnfiled'>,
): Steps<Filed | null> {
  const inbox = { sessionId, agentId };
  if (!needsFiled(filter) || !(yield* isDeep(tx, inbox, lanesOf(filter)))) return null;
  const filed = yield* filedOf(tx, inbox);
  return scansUnfiled === true ? { ...filed, endsInRank: null } : filed;
}

/** Many notices are combined into a digest first, unless the reader filters. */
function* freeAfterDigest(tx: Statements, request: LeaseRequest, query: FreeQuery): Steps<FreeCopies> {
  const free = yield* tx.freeCopies(query, 'lock');
  const hasDigest = mayNeedDigest(request.filter, free.rows) && (yield* gatherDigest(tx, request));
  return hasDigest ? yield* tx.freeCopies(query, 'lock') : free;
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
