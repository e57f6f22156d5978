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
  // uses delivery's key
  await tx.run(
    `with gone as (delete from delivery where session_id = ? and seq = ? and agent_id = ? returning session_id, seq, why)
     insert into pending (session_id, agent_id, lane, rank, seq, why, expires_at, wants_receipt)
     select session_id, m.id, ?::integer, ?::integer, seq, why, ?::bigint, ?::integer from gone cross join unnest(?::text[]) m (id)`,
    [sessionId, seq, group, lane, rank, expiresAt, wantsReceipt, [...members]],
  );
  // uses message's key
  await tx.run('update message set recipients = ? where session_id = ? and seq = ?', [
    JSON.stringify(members),
    sessionId,
    seq,
  ]);
}
