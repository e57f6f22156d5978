// Reads what a digest is made from, and hides the copies that it replaces.
import type { ThreadBacklog } from '../../../notify/digest.js';
import type { NoticeRow } from '../../rows/notice-row.js';
import type { Inbox, NewDigest } from '../../rules/statements.js';
import type { Tx } from '../writer/transaction.js';

export function freeNotices(tx: Tx, { sessionId, agentId }: Inbox, limit: number): NoticeRow[] {
  // A digest is a message, and none can be stored now.
  if (tx.isHeld) return [];
  // uses pending's key, then message by its row number
  return tx.all<NoticeRow>(
    `select p.rank, p.seq, m.at, m.thread_id, m.extras from pending p join message m on m.n = p.n
     where p.session_id = ? and p.agent_id = ? and p.lane = 0 and p.notice not in ('digest', 'removed')
       and p.digest is null and p.lease_token is null and m.session_id = p.session_id
     order by p.rank, p.seq limit ?`,
    [sessionId, agentId, limit],
  );
}

export function backlogByThread(tx: Tx, { sessionId, agentId }: Inbox, limit: number): Map<string, ThreadBacklog> {
  // uses pending's key, then message by its row number
  const rows = tx.all<{ thread_id: string; unread: number; urgent: number }>(
    `select m.thread_id, count(*) as unread, sum(m.urgent) as urgent
     from (select n from pending where session_id = ? and agent_id = ? and notice is null
           order by lane, rank, seq limit ?) p
     join message m on m.n = p.n where m.session_id = ? and m.thread_id is not null
     group by m.thread_id order by m.thread_id`,
    [sessionId, agentId, limit, sessionId],
  );
  return new Map(rows.map(({ thread_id, unread, urgent }) => [thread_id, { unread, urgent }]));
}

export function hideBehindDigest(tx: Tx, { sessionId, agentId }: Inbox, { seq, rows }: NewDigest): void {
  for (const row of rows) {
    tx.run(
      'update pending set digest = ? where session_id = ? and agent_id = ? and lane = 0 and rank = ? and seq = ?',
      [seq, sessionId, agentId, row.rank, row.seq],
    );
  }
}
