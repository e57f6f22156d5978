// Ends copies: moves them from pending to delivery and writes the dead letters, if any, in the same statement.
import type { LeasedCopies } from '../../../ports/store.js';
import { receiptKinds } from '../../rows/receipt-row.js';
import { endedPerStep, type EndedCopy, type Ending, type EndRecord } from '../../rules/end-copies.js';
import type { CopySelection } from '../../rules/statements.js';
import type { SqlValue, Tx } from '../connection/transaction.js';
import { keyLists } from './key-lists.js';

export async function recordEnd(tx: Tx, end: EndRecord): Promise<void> {
  const { sessionId, agentId, seq, lane, why, attempts, deliveredAt, state, at, reason } = end;
  await tx.run(
    `with ended as (
       insert into delivery (session_id, seq, agent_id, state, at, attempts, delivered_at, lane, why, reason)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning session_id, seq, agent_id, reason, at)
     insert into dead_letter (session_id, seq, recipient, reason, at)
     select session_id, seq, agent_id, reason, at from ended where reason is not null`,
    [sessionId, seq, agentId, state, at, attempts, deliveredAt, lane, why, reason],
  );
}

export function endCopies(tx: Tx, selection: CopySelection, ending: Ending): Promise<EndedCopy[]> {
  return endLocked(tx, lockedBy(selection), ending);
}

/** A select of `endingColumns` from pending as `p` that locks the rows to end. */
export interface LockedCopies {
  sql: string;
  values: SqlValue[];
}

export const endingColumns =
  'p.session_id, p.agent_id, p.lane, p.rank, p.seq, p.why, p.attempts, p.leased_at, p.wants_receipt, p.notice';

/** Returns the ended copies in inbox order. */
export async function endLocked(tx: Tx, held: LockedCopies, { state, at, reason }: Ending): Promise<EndedCopy[]> {
  // uses pending's key, then message's for copies with a receipt
  return tx.all<EndedCopy>(
    `with held as (${held.sql}),
     gone as (
       delete from pending p using held h
       where p.session_id = h.session_id and p.agent_id = h.agent_id and p.lane = h.lane and p.rank = h.rank
         and p.seq = h.seq
       returning h.*),
     ended as (
       insert into delivery (session_id, seq, agent_id, state, at, attempts, delivered_at, lane, why, reason)
       select session_id, seq, agent_id, ?, ?, attempts, leased_at, lane, why, ? from gone),
     dead as (
       insert into dead_letter (session_id, seq, recipient, reason, at)
       select session_id, seq, agent_id, ?, ? from gone where ?::text is not null
       order by session_id, agent_id, lane, rank, seq)
     select session_id as "sessionId", agent_id as "agentId", seq, why, attempts, leased_at as "deliveredAt",
       wants_receipt as "wantsReceipt", coalesce(notice = 'digest', false) as "isDigest",
       case when wants_receipt = ${receiptKinds.copy} then (select m.sender from message m
         where m.session_id = gone.session_id and m.seq = gone.seq) end as sender
     from gone order by session_id, agent_id, lane, rank, seq`,
    [...held.values, state, at, reason, reason, at, reason],
  );
}

function lockedBy(selection: CopySelection): LockedCopies {
  if (selection.kind === 'lease') return lockedByLease(selection.lease);
  if (selection.kind === 'digest') {
    const { sessionId, agentId, seq, attempts, deliveredAt } = selection.digest;
    return {
      // uses pending's key; they were delivered as often as the digest was
      sql: `select p.session_id, p.agent_id, p.lane, p.rank, p.seq, p.why, ?::integer as attempts,
          ?::bigint as leased_at, p.wants_receipt, p.notice from pending p
        where p.session_id = ? and p.agent_id = ? and p.lane = 0 and p.digest = ? order by p.rank, p.seq for update`,
      values: [attempts, deliveredAt, sessionId, agentId, seq],
    };
  }
  const { sessionId, agentId } = selection.inbox;
  if (selection.kind === 'inbox') {
    return {
      // uses pending's key, from its beginning: hardly any copy has a later seq; the copies behind a digest end with it
      sql: `select ${endingColumns} from pending p where p.session_id = ? and p.agent_id = ? and p.digest is null
        and p.seq + 0 <= ? order by p.lane, p.rank, p.seq limit ? for update`,
      values: [sessionId, agentId, selection.upTo, selection.limit],
    };
  }
  return {
    // uses pending's key, then message's
    sql: `select ${endingColumns} from pending p
      cross join lateral (select thread_id from message where session_id = p.session_id and seq = p.seq offset 0) m
      where p.session_id = ? and p.agent_id = ? and p.lease_token is null and p.digest is null and m.thread_id = ?
      order by p.lane, p.rank, p.seq limit ${endedPerStep} for update of p`,
    values: [sessionId, agentId, selection.threadId],
  };
}

/** Locks the copies still held by this token. */
export function lockedByLease({ sessionId, agentId, token, keys }: LeasedCopies): LockedCopies {
  return {
    // uses pending's key, once per copy
    sql: `select p.* from unnest(?::integer[], ?::integer[], ?::bigint[]) k (lane, rank, seq)
      cross join lateral (select ${endingColumns} from pending p where p.session_id = ? and p.agent_id = ?
        and p.lane = k.lane and p.rank = k.rank and p.seq = k.seq and p.lease_token = ? for update) p`,
    values: [...keyLists(keys), sessionId, agentId, token],
  };
}
