// A copy's time in doubt: free → leased (attempt counted, token set) → confirmed, or back in its old place.
// Confirming and releasing name the token: an old one changes nothing.
import { messageIdOf } from '../../../contract/ids.js';
import type { Why } from '../../../contract/message.js';
import { lanes } from '../../../message/send/route.js';
import type { CopyKey, HandedCopies, LeasedCopies, LeaseReference, LeaseRequest, Store } from '../../../ports/store.js';
import { mayBePile } from '../../../notify/digest.js';
import { copiesWithin } from '../../rows/copies-within.js';
import type { CopyRow } from '../../rows/copy-row.js';
import { leasesOf, messageUnknown, type LeasedRow } from '../../rows/leased-copies.js';
import { isRegistered } from '../session/agents-known.js';
import { endCopy, pendingColumns, type PendingRow } from './end-copies.js';
import { findMessage } from '../history/message-rows.js';
import { gatherDigest } from './digest.js';
import { openAgain, wantsReceiptAgain } from './open-again.js';
import { countUnread, freeCopies } from './read-inbox.js';
import { findSession } from '../session/sessions.js';
import { headersOf } from '../thread/thread-headers.js';
import type { Tx } from '../writer/transaction.js';

const byKey = 'session_id = ? and agent_id = ? and lane = ? and rank = ? and seq = ?';

export function leaseCopies(tx: Tx, request: LeaseRequest): HandedCopies & { unread: number } {
  const { sessionId, agentId, limit } = request;
  const rows = freeAfterDigest(tx, request);
  // Only what the answer will show is taken.
  const { copies, threads } = copiesWithin(request, rows.slice(0, limit), {
    salt: findSession(tx, sessionId)?.salt ?? 0,
    headersOf: (shown) => headersOf(tx, sessionId, shown),
  });
  for (const { key } of copies) leaseCopy(tx, request, key);
  const unread = countUnread(tx, { sessionId, agentId });
  return { copies, hasMore: rows.length > copies.length, threads, unread };
}

/** A pile of notices is first gathered into a digest, unless the reader asks for something in particular. */
function freeAfterDigest(tx: Tx, request: LeaseRequest): CopyRow[] {
  const query = { ...request, after: null, limit: request.limit + 1 };
  const rows = freeCopies(tx, query);
  return mayBePile(request.filter, rows) && gatherDigest(tx, request) ? freeCopies(tx, query) : rows;
}

/** The attempt is counted in the same statement, so that each is handed out once. */
export function leaseCopy(
  tx: Tx,
  lease: Pick<LeaseRequest, 'sessionId' | 'agentId' | 'token' | 'isManual' | 'now' | 'monotonicNow' | 'leaseMs'>,
  key: CopyKey,
): void {
  tx.run(
    `update pending set lease_token = ?, lease_until = ?, is_manual = ?, is_excused = null, leased_at = ?, attempts = attempts + 1
     where ${byKey}`,
    ...[lease.token, lease.monotonicNow + lease.leaseMs, Number(lease.isManual), lease.now],
    ...[lease.sessionId, lease.agentId, key.lane, key.rank, key.seq],
  );
}

export function confirmLease(tx: Tx, lease: LeasedCopies & { at: number }): number[] {
  const { sessionId, at } = lease;
  return settle(tx, lease, (row) => endCopy(tx, row, { sessionId, at, state: 'read', reason: null }));
}

export function releaseLease(tx: Tx, lease: LeasedCopies & { unsent: boolean }): number[] {
  tx.memory.session(lease.sessionId)?.mailMayHaveCome(lease.agentId);
  const back = lease.unsent ? 1 : 0;
  // Without an attempt left it was never delivered.
  return settle(tx, lease, ({ lane, rank, seq }) => {
    tx.run(
      `update pending set lease_token = null, lease_until = null, is_manual = null, attempts = attempts - ?,
         leased_at = case when attempts > ? then leased_at end where ${byKey}`,
      ...[back, back, lease.sessionId, lease.agentId, lane, rank, seq],
    );
    return [seq];
  });
}

/** Runs `change` on every copy still held by this token; returns the seqs it changed. */
function settle(tx: Tx, lease: LeasedCopies, change: (row: PendingRow) => number[]): number[] {
  const changed: number[] = [];
  for (const { lane, rank, seq } of lease.keys) {
    const row = tx.get<PendingRow>(
      `select ${pendingColumns} from pending where ${byKey} and lease_token = ?`,
      ...[lease.sessionId, lease.agentId, lane, rank, seq, lease.token],
    );
    if (row === undefined) continue;
    changed.push(...change(row));
  }
  return changed;
}

interface ReadRow {
  n: number;
  why: Why;
  attempts: number;
  delivered_at: number | null;
  expires_at: number | null;
  receipt: number | null;
}

/** Puts copies that had become `read` back in their old place; they will come marked. */
export function reopenCopies(tx: Tx, lease: LeasedCopies & { at: number }): number[] {
  const { sessionId, agentId } = lease;
  tx.memory.session(sessionId)?.mailMayHaveCome(agentId);
  const reopened: number[] = [];
  if (!isRegistered(tx, sessionId, agentId)) return reopened;
  for (const { lane, rank, seq } of lease.keys) {
    // uses message_by_seq, then delivery's key
    const row = tx.get<ReadRow>(
      // handed out after its time: it was replayed, and has none any more
      `select d.n, d.why, d.attempts, d.delivered_at,
         ${wantsReceiptAgain} as receipt,
         case when d.delivered_at < m.expires_at then m.expires_at end as expires_at
       from message m join delivery d on d.n = m.n
       where m.session_id = ? and m.seq = ? and d.agent_id = ? and d.session_id = m.session_id and d.state = 'read'`,
      ...[sessionId, seq, agentId],
    );
    if (row === undefined) continue;
    const { n, why, attempts, delivered_at: deliveredAt, expires_at: expiresAt, receipt: wantsReceipt } = row;
    openAgain(tx, { sessionId, agentId, lane, rank, seq, n, why, attempts, deliveredAt, expiresAt, wantsReceipt });
    reopened.push(seq);
  }
  return reopened;
}

/** Finds an answer's copies again from its cursor: from the place of its first copy, as many as it had. */
export function findLease(tx: Tx, reference: LeaseReference): { lease: LeasedCopies; ids: string[] } {
  const { sessionId, agentId, token, count, rank, seq } = reference;
  const inLane = (lane: number, limit: number) =>
    // uses pending's key
    tx.all<CopyKey>(
      `select lane, rank, seq from pending where session_id = ? and agent_id = ? and lane = ?
       and (rank, seq) >= (?, ?) and lease_token = ? order by rank, seq limit ?`,
      ...[sessionId, agentId, lane, rank, seq, token, limit],
    );
  const waking = inLane(lanes.waking, count);
  // Plain posts, which may be very many, are looked at only if the others did not make up the answer.
  const keys = waking.length === count ? waking : [...waking, ...inLane(lanes.plain, count - waking.length)];
  return { lease: { sessionId, agentId, token, keys }, ids: idsOf(tx, sessionId, keys) };
}

/** What was handed to this agent, by message ids or up to a seq, grouped by lease. */
export function findLeased(
  tx: Tx,
  query: Parameters<Store['findLeased']>[0],
): Awaited<ReturnType<Store['findLeased']>> {
  const { sessionId, agentId, ids, upTo } = query;
  const notFound: string[] = [];
  const rows: LeasedRow[] = [];
  for (const id of ids ?? []) {
    const row = leasedCopyOf(tx, sessionId, agentId, id);
    if (row === undefined) notFound.push(id);
    else rows.push(row);
  }
  if (upTo !== null) {
    // uses pending's key
    rows.push(
      ...tx.all<LeasedRow>(
        `select lane, rank, seq, lease_token from pending
         where session_id = ? and agent_id = ? and seq <= ? and lease_token is not null order by lane, rank, seq`,
        ...[sessionId, agentId, upTo],
      ),
    );
  }
  return { leases: leasesOf(sessionId, agentId, rows), ids: idsOf(tx, sessionId, rows), notFound };
}

function idsOf(tx: Tx, sessionId: string, keys: readonly CopyKey[]): string[] {
  const salt = findSession(tx, sessionId)?.salt ?? 0;
  return keys.map(({ seq }) => messageIdOf(seq, salt));
}

function leasedCopyOf(tx: Tx, sessionId: string, agentId: string, messageId: string): LeasedRow | undefined {
  const message = findMessage(tx, sessionId, messageId);
  if (message === undefined) throw messageUnknown(messageId);
  return tx.get<LeasedRow>(
    `select lane, rank, seq, lease_token from pending where session_id = ? and agent_id = ? and lane in (0, 1)
     and rank = ? and seq = ? and lease_token is not null`,
    ...[sessionId, agentId, message.rank, message.seq],
  );
}

export function findRead(tx: Tx, query: Parameters<Store['findRead']>[0]): { keys: CopyKey[]; ids: string[] } {
  const keys: CopyKey[] = [];
  const ids: string[] = [];
  for (const id of query.ids) {
    const message = findMessage(tx, query.sessionId, id);
    if (message === undefined) continue;
    // uses delivery's key
    const row = tx.get<{ lane: number }>(
      "select lane from delivery where n = ? and agent_id = ? and session_id = ? and state = 'read'",
      ...[message.n, query.agentId, query.sessionId],
    );
    if (row === undefined) continue;
    keys.push({ lane: row.lane, rank: message.rank, seq: message.seq });
    ids.push(id);
  }
  return { keys, ids };
}
