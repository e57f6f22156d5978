// Reads what a digest is made from, and hides the copies that it replaces.
import type { ThreadBacklog } from '../../../notify/digest.js';
import type { NoticeRow } from '../../rows/notice-row.js';
import type { Inbox, NewDigest } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';

/** Locked if the session's order lock is held. Copies that another transaction has locked are left out. */
export async function freeNotices(tx: Tx, { sessionId, agentId }: Inbox, limit: number): Promise<NoticeRow[]> {
  // uses pending's key, then message's
  return tx.all<NoticeRow>(
    `select p.rank, p.seq, m.at, m.thread_id, m.extras from pending p
     cross join lateral (select at, thread_id, extras from message
       where session_id = p.session_id and seq = p.seq offset 0) m
     where p.session_id = ? and p.agent_id = ? and p.lane = 0 and p.notice not in ('digest', 'removed')
       and p.digest is null and p.lease_token is null
     order by p.rank, p.seq limit ?${tx.holdsOrder(sessionId) ? ' for update of p skip locked' : ''}`,
    [sessionId, agentId, limit],
  );
}

export async function backlogByThread(
  tx: Tx,
  { sessionId, agentId }: Inbox,
  limit: number,
): Promise<Map<string, ThreadBacklog>> {
  // uses pending's key, then message's
  const rows = await tx.all<{ thread_id: string; unread: number; urgent: number }>(
    `select m.thread_id, count(*) as unread, sum(m.urgent) as urgent
     from (select session_id, seq from pending where session_id = ? and agent_id = ? and notice is null
           order by lane, rank, seq limit ?) p
     cross join lateral (select thread_id, urgent from message
       where session_id = p.session_id and seq = p.seq offset 0) m where m.thread_id is not null
     group by m.thread_id order by m.thread_id`,
    [sessionId, agentId, limit],
  );
  return new Map(rows.map(({ thread_id, unread, urgent }) => [thread_id, { unread, urgent }]));
}

export async function hideBehindDigest(tx: Tx, { sessionId, agentId }: Inbox, { seq, rows }: NewDigest): Promise<void> {
  // uses pending's key
  await tx.run(
    `update pending p set digest = ? from unnest(?::integer[], ?::bigint[]) k (rank, seq)
     where p.session_id = ? and p.agent_id = ? and p.lane = 0 and p.rank = k.rank and p.seq = k.seq`,
    [seq, rows.map((row) => row.rank), rows.map((row) => row.seq), sessionId, agentId],
  );
}
