// Replaces the ended copy of a group that was empty by one for each of its members.
import type { Inbox, ReopenedCopy } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';

/** Requires that no member is removed meanwhile, as a change of the session's facts does. */
export async function divideCopy(
  tx: Tx,
  { sessionId, agentId: group }: Inbox,
  { key: { lane, rank, seq }, expiresAt, wantsReceipt }: ReopenedCopy,
  members: readonly string[],
): Promise<void> {
  // uses the keys of delivery and message; filed: the copies around their places may be
  await tx.run(
    `with gone as (delete from delivery where session_id = ? and seq = ? and agent_id = ? returning session_id, seq, why)
     insert into pending (session_id, agent_id, lane, rank, seq, why, expires_at, wants_receipt, sender, thread_id, type, target)
     select g.session_id, r.id, ?::integer, ?::integer, g.seq, g.why, ?::bigint, ?::integer, m.sender, m.thread_id, m.type, m.target
     from gone g join message m on m.session_id = g.session_id and m.seq = g.seq cross join unnest(?::text[]) r (id)`,
    [sessionId, seq, group, lane, rank, expiresAt, wantsReceipt, [...members]],
  );
  // uses message's key
  await tx.run('update message set recipients = ? where session_id = ? and seq = ?', [
    JSON.stringify(members),
    sessionId,
    seq,
  ]);
}
