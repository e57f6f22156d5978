// The lease of a copy: free → leased (attempt counted, token set) → confirmed, or free again at its old position.
// Confirming and releasing require the current token; a stale one changes nothing.
import { seqOfMessageId } from '../../../contract/ids.js';
import { lanes } from '../../../message/send/route.js';
import type { CopyKey, LeasedCopies, LeaseReference, LeaseRequest, Store } from '../../../ports/store.js';
import { messageUnknown, type LeasedRow } from '../../rows/leased-copies.js';
import type { Inbox, NewLease } from '../../rules/statements.js';
import { lockedByLease } from './end-copies.js';
import { keyLists } from './key-lists.js';
import { isOpening, reopenCopies, wantsReceiptAgain } from './open-again.js';
import { countUnread, unreadMax } from './read-inbox.js';
import { recountRoom } from '../send/inbox-room.js';
import { findSession } from '../session/sessions.js';
import { sqlTime, sqlTimeOf } from '../connection/sql-time.js';
import type { Tx } from '../connection/transaction.js';

export async function leaseKeys(
  tx: Tx,
  lease: NewLease,
  keys: readonly CopyKey[],
): Promise<{ seqs: number[]; unread: number }> {
  const { sessionId, agentId } = lease;
  if (keys.length === 0) return { seqs: [], unread: await countUnread(tx, { sessionId, agentId }) };
  // uses pending's key, once per copy; the count is from before the update
  const row = await tx.get<{ seqs: string; unread: number }>(
    `with held as (
       select h.* from unnest(?::integer[], ?::integer[], ?::bigint[]) k (lane, rank, seq)
       cross join lateral (select p.session_id, p.agent_id, p.lane, p.rank, p.seq from pending p
         where p.session_id = ? and p.agent_id = ? and p.lane = k.lane and p.rank = k.rank and p.seq = k.seq
           and p.lease_token is null for update) h),
     taken as (
       update pending p set lease_token = ?, lease_until = ${sqlTime} + ?, is_manual = ?, leased_at = ?,
         attempts = p.attempts + 1
       from held h where p.session_id = h.session_id and p.agent_id = h.agent_id and p.lane = h.lane
         and p.rank = h.rank and p.seq = h.seq
       returning p.lane, p.seq)
     select (select coalesce(json_agg(seq), '[]') from taken)::text as seqs,
       least(?, (select count(*) from (select 1 from pending where session_id = ? and agent_id = ? and lane = 0
           and lease_token is null and digest is null limit ?) free)
         - (select count(*) from taken where lane = ${lanes.waking})) as unread`,
    [
      ...keyLists(keys),
      sessionId,
      agentId,
      lease.token,
      sqlTimeOf(tx, lease.now),
      lease.leaseMs,
      Number(lease.isManual),
      lease.now,
      unreadMax,
      sessionId,
      agentId,
      unreadMax + keys.length,
    ],
  );
  return { seqs: JSON.parse(row?.seqs ?? '[]') as number[], unread: row?.unread ?? 0 };
}

/** Checks pending only: nobody has received these copies yet, so none has ended. */
export async function hasLease(
  tx: Tx,
  { sessionId, agentId, token }: Pick<LeaseRequest, 'sessionId' | 'agentId' | 'token'>,
): Promise<boolean> {
  // uses pending_by_token
  const row = await tx.get('select 1 from pending where session_id = ? and agent_id = ? and lease_token = ? limit 1', [
    sessionId,
    agentId,
    token,
  ]);
  return row !== undefined;
}

/**
 * Also what was never sent comes again with the mark: another hub may have handed out later copies since, and only what is
 * in its place may come without one. See docs/decisions/0023.
 */
export async function releaseLease(tx: Tx, lease: LeasedCopies): Promise<number[]> {
  const held = lockedByLease(lease);
  const rows = await tx.all<{ seq: number }>(
    `with held as (${held.sql})
     update pending p set lease_token = null, lease_until = null, is_manual = null
     from held h where p.session_id = h.session_id and p.agent_id = h.agent_id and p.lane = h.lane
       and p.rank = h.rank and p.seq = h.seq
     returning p.seq`,
    held.values,
  );
  return rows.map(({ seq }) => seq);
}

interface ReadRow {
  seq: number;
  extras: string | null;
  isOpening: boolean;
  expires_at: number | null;
}

/** Puts `read` copies back at their old position; they are redelivered with the mark. */
export async function reopenLease(tx: Tx, lease: LeasedCopies): Promise<number[]> {
  const { sessionId, agentId } = lease;
  const [, , seqs] = keyLists(lease.keys);
  // uses the keys of delivery and message
  const rows = await tx.all<ReadRow>(
    // delivered after its expiry: it was replayed and no longer expires
    `select d.seq, m.extras, ${isOpening} as "isOpening",
       case when d.delivered_at < m.expires_at then m.expires_at end as expires_at
     from unnest(?::bigint[]) k (seq)
     join delivery d on d.session_id = ? and d.seq = k.seq and d.agent_id = ? and d.state = 'read'
     join message m on m.session_id = d.session_id and m.seq = d.seq order by d.seq`,
    [seqs, sessionId, agentId],
  );
  const read = new Map(rows.map((row) => [row.seq, row]));
  const copies = lease.keys.flatMap((key) => {
    const row = read.get(key.seq);
    return row === undefined ? [] : [{ key, expiresAt: row.expires_at, wantsReceipt: wantsReceiptAgain(row) }];
  });
  const reopened = await reopenCopies(tx, lease, copies);
  if (reopened.length > 0) recountRoom(tx, lease);
  return reopened;
}

export async function keysOfLease(tx: Tx, reference: LeaseReference): Promise<CopyKey[]> {
  const { sessionId, agentId, token, count } = reference;
  // uses pending_by_token
  return tx.all<CopyKey>(
    `select lane, rank, seq from pending where session_id = ? and agent_id = ? and lease_token = ?
       order by lane, rank, seq limit ?`,
    [sessionId, agentId, token, count],
  );
}

export async function leasedUpTo(tx: Tx, { sessionId, agentId }: Inbox, seq: number): Promise<LeasedRow[]> {
  // uses pending_by_token: as many rows as the agent has leases; `offset 0` keeps the order from choosing pending's key
  return tx.all<LeasedRow>(
    `select p.lane, p.rank, p.seq, p.lease_token
     from (select lane, rank, seq, lease_token from pending where session_id = ? and agent_id = ?
       and lease_token > '' offset 0) p
     where p.seq <= ? order by p.lane, p.rank, p.seq`,
    [sessionId, agentId, seq],
  );
}

/** The seq of each id; undefined if it is not an id of this session. */
async function seqsOf(tx: Tx, sessionId: string, ids: readonly string[]): Promise<(number | undefined)[]> {
  const session = await findSession(tx, sessionId);
  return ids.map((id) => (session === undefined ? undefined : seqOfMessageId(id, session.salt)));
}

type FoundRow = { seq: number } & {
  [Name in keyof LeasedRow as Name extends 'seq' ? never : Name]: LeasedRow[Name] | null;
};

export async function leasedById(
  tx: Tx,
  { sessionId, agentId }: Inbox,
  ids: readonly string[],
): Promise<{ id: string; row: LeasedRow | undefined }[]> {
  const seqs = await seqsOf(tx, sessionId, ids);
  // uses the keys of message and pending
  const found = await tx.all<FoundRow>(
    `select m.seq, p.lane, p.rank, p.lease_token from unnest(?::bigint[]) k (seq)
     join message m on m.session_id = ? and m.seq = k.seq
     left join pending p on p.session_id = m.session_id and p.agent_id = ? and p.lane in (0, 1) and p.rank = m.rank
       and p.seq = m.seq and p.lease_token is not null
     order by m.seq`,
    [seqs.flatMap((seq) => seq ?? []), sessionId, agentId],
  );
  const bySeq = new Map(found.map((row) => [row.seq, row]));
  return ids.map((id, index) => {
    const row = bySeq.get(seqs[index] ?? 0);
    if (row === undefined) throw messageUnknown(id);
    const { seq, lane, rank, lease_token: token } = row;
    const isLeased = lane !== null && rank !== null && token !== null;
    return { id, row: isLeased ? { lane, rank, seq, lease_token: token } : undefined };
  });
}

export async function findRead(
  tx: Tx,
  { sessionId, agentId, ids }: Parameters<Store['findRead']>[0],
): Promise<{ keys: CopyKey[]; ids: string[] }> {
  const seqs = await seqsOf(tx, sessionId, ids);
  // uses the keys of delivery and message
  const rows = await tx.all<CopyKey>(
    `select d.lane, m.rank, m.seq from unnest(?::bigint[]) k (seq)
     join delivery d on d.session_id = ? and d.seq = k.seq and d.agent_id = ? and d.state = 'read'
     join message m on m.session_id = d.session_id and m.seq = d.seq order by m.seq`,
    [seqs.flatMap((seq) => seq ?? []), sessionId, agentId],
  );
  const bySeq = new Map(rows.map((key) => [key.seq, key]));
  const read = ids.flatMap((id, index) => {
    const key = bySeq.get(seqs[index] ?? 0);
    return key === undefined ? [] : [{ id, key }];
  });
  return { keys: read.map(({ key }) => key), ids: read.map(({ id }) => id) };
}
