// Gives copies the columns of their messages, by which filters find them.
import type { Inbox } from '../../rules/statements.js';
import type { SqlValue, Tx } from '../connection/transaction.js';

const places = [0, 1].flatMap((lane) => [0, 1, 2, 3].map((rank) => `(${lane}, ${rank})`)).join(', ');

export async function fileCopies(
  tx: Tx,
  { sessionId, agentId }: Inbox,
  { from, to }: { from: number; to: number },
): Promise<void> {
  // uses pending's key, once per lane and rank
  await file(tx, "seq >= ? and seq <= ? and coalesce(sender, '') = ''", [sessionId, agentId, from, to]);
  // uses pending_by_sender: copies that a hub of an earlier release has put back
  await file(tx, "sender = '' and seq < ?", [sessionId, agentId, from]);
}

/**
 * The copies are locked in inbox order, like everywhere. None that is locked may be skipped: all of the range count as filed
 * afterwards. What another hub has filed meanwhile is not written again: the test is repeated on the copy that was waited for.
 */
async function file(tx: Tx, which: string, values: SqlValue[]): Promise<void> {
  await tx.run(
    `with held as materialized (
       select p.* from (values ${places}) k (lane, rank)
       cross join lateral (select session_id, agent_id, lane, rank, seq from pending
         where session_id = ? and agent_id = ? and lane = k.lane and rank = k.rank and ${which}
         order by seq for update) p)
     update pending p set sender = m.sender, thread_id = m.thread_id, type = m.type, target = m.target
     from held h cross join lateral (select sender, thread_id, type, target from message
       where session_id = h.session_id and seq = h.seq offset 0) m
     where p.session_id = h.session_id and p.agent_id = h.agent_id and p.lane = h.lane and p.rank = h.rank
       and p.seq = h.seq`,
    values,
  );
}
