// The lease of a copy: free → leased (attempt counted, token set) → confirmed, or free again at its old position.
// Confirming and releasing require the current token; a stale one changes nothing.
import type { CopyKey, LeasedCopies, LeaseReference, Store } from '../../../ports/store.js';
import { messageUnknown, type LeasedRow } from '../../rows/leased-copies.js';
import type { Inbox, NewLease } from '../../rules/statements.js';
import { countedAttempts } from './doubtful-copies.js';
import { leasedRows } from './end-copies.js';
import { findMessage } from '../history/message-rows.js';
import { reopenCopies, wantsReceiptAgain } from './open-again.js';
import { countUnread } from './read-inbox.js';
import type { Tx } from '../writer/transaction.js';

export function leaseKeys(tx: Tx, lease: NewLease, keys: readonly CopyKey[]): { seqs: number[]; unread: number } {
  const { sessionId, agentId, token, isManual, now, monotonicNow, leaseMs } = lease;
  if (keys.length > 0) tx.memory.noteLease(sessionId, agentId, token);
  for (const { lane, rank, seq } of keys) {
    tx.run(
      `update pending as p set lease_token = ?, lease_until = ?, is_manual = ?, is_excused = null, leased_at = ?,
         attempts = 1 + ${countedAttempts}
       where session_id = ? and agent_id = ? and lane = ? and rank = ? and seq = ?`,
      [token, monotonicNow + leaseMs, Number(isManual), now, sessionId, agentId, lane, rank, seq],
    );
  }
  return { seqs: keys.map(({ seq }) => seq), unread: countUnread(tx, { sessionId, agentId }) };
}

/**
 * What was never sent comes again without a mark only in its place: if later copies may have been handed out since, the
 * attempt stays counted. See docs/decisions/0023.
 */
export function releaseLease(tx: Tx, lease: LeasedCopies & { unsent: boolean }): number[] {
  const { sessionId, agentId } = lease;
  tx.memory.session(sessionId)?.forgetNoMail(agentId);
  const back = lease.unsent && tx.memory.isLastLease(sessionId, agentId, lease.token) ? 1 : 0;
  return leasedRows(tx, lease).map(({ lane, rank, seq }) => {
    // With no attempt left, it counts as never delivered.
    tx.run(
      `update pending set lease_token = null, lease_until = null, is_manual = null, attempts = attempts - ?,
         leased_at = case when attempts > ? then leased_at end
       where session_id = ? and agent_id = ? and lane = ? and rank = ? and seq = ?`,
      [back, back, sessionId, agentId, lane, rank, seq],
    );
    return seq;
  });
}

/** Puts `read` copies back at their old position; they are redelivered with the mark. */
export function reopenLease(tx: Tx, lease: LeasedCopies): number[] {
  const { sessionId, agentId } = lease;
  tx.memory.session(sessionId)?.forgetNoMail(agentId);
  const read = lease.keys.flatMap((key) => {
    // uses message_by_seq, then delivery's key
    const row = tx.get<{ expiresAt: number | null; wantsReceipt: number | null }>(
      // delivered after its expiry: it was replayed and no longer expires
      `select ${wantsReceiptAgain} as wantsReceipt,
         case when d.delivered_at < m.expires_at then m.expires_at end as expiresAt
       from message m join delivery d on d.n = m.n
       where m.session_id = ? and m.seq = ? and d.agent_id = ? and d.session_id = m.session_id and d.state = 'read'`,
      [sessionId, key.seq, agentId],
    );
    return row === undefined ? [] : [{ key, ...row }];
  });
  return reopenCopies(tx, lease, read);
}

export function keysOfLease(tx: Tx, reference: LeaseReference): CopyKey[] {
  const { sessionId, agentId, token, count } = reference;
  // uses pending_by_token
  return tx.all<CopyKey>(
    `select lane, rank, seq from pending where session_id = ? and agent_id = ? and lease_token = ?
     order by lane, rank, seq limit ?`,
    [sessionId, agentId, token, count],
  );
}

export function leasedById(tx: Tx, inbox: Inbox, ids: readonly string[]): { id: string; row: LeasedRow | undefined }[] {
  return ids.map((id) => {
    const message = findMessage(tx, inbox.sessionId, id);
    if (message === undefined) throw messageUnknown(id);
    // uses pending's key
    const row = tx.get<LeasedRow>(
      `select lane, rank, seq, lease_token from pending where session_id = ? and agent_id = ? and lane in (0, 1)
       and rank = ? and seq = ? and lease_token is not null`,
      [inbox.sessionId, inbox.agentId, message.rank, message.seq],
    );
    return { id, row };
  });
}

export function leasedUpTo(tx: Tx, { sessionId, agentId }: Inbox, seq: number): LeasedRow[] {
  // uses pending_by_token: as many rows as the agent has leases
  return tx.all<LeasedRow>(
    `select lane, rank, seq, lease_token from pending indexed by pending_by_token
     where session_id = ? and agent_id = ? and seq <= ? and lease_token is not null order by lane, rank, seq`,
    [sessionId, agentId, seq],
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
      [message.n, query.agentId, query.sessionId],
    );
    if (row === undefined) continue;
    keys.push({ lane: row.lane, rank: message.rank, seq: message.seq });
    ids.push(id);
  }
  return { keys, ids };
}
