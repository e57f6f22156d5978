// Gathers a pile of notices into one digest, in the transaction that hands it out. The notices stay in their threads'
// history; their copies wait behind the digest and end as it ends.
import { defaultNotifyPrefs } from '../../../contract/notify.js';
import { systemPlan, systemRoute } from '../../../message/send/system-plan.js';
import { digestText, isPile, type ThreadBacklog } from '../../../notify/digest.js';
import type { LeaseRequest } from '../../../ports/store.js';
import { piledNotice, type NoticeRow } from '../../rows/notice-row.js';
import { hasRoom } from '../send/inbox-room.js';
import { insertMessage, noReply } from '../send/insert-message.js';
import { notifySettings } from '../session/notify-settings.js';
import { findThread } from '../thread/thread-rows.js';
import type { Tx } from '../writer/transaction.js';

type Reader = Pick<LeaseRequest, 'sessionId' | 'agentId' | 'now'>;

/** Enough for any text; what lies beyond is in the next digest. */
const noticesMax = 1_000;

/** One's own removal is never gathered: it is in no thread's history. True when a digest was written: the inbox then reads differently. */
export function gatherDigest(tx: Tx, reader: Reader): boolean {
  const { sessionId, agentId, now } = reader;
  const prefs = notifySettings(tx, sessionId).prefs.get(agentId) ?? defaultNotifyPrefs;
  // uses pending's key, then message by its row number
  const rows = tx.all<NoticeRow>(
    `select p.rank, p.seq, m.at, m.thread_id, m.extras from pending p join message m on m.n = p.n
     where p.session_id = ? and p.agent_id = ? and p.lane = 0 and p.notice not in ('digest', 'removed')
       and p.digest is null and p.lease_token is null and m.session_id = p.session_id
     order by p.rank, p.seq limit ?`,
    ...[sessionId, agentId, noticesMax],
  );
  const [oldest] = rows;
  if (oldest === undefined || !isPile(prefs, { count: rows.length, oldestAt: oldest.at, now })) return false;
  if (!hasRoom(tx, sessionId, agentId)) return false;
  const notices = rows.flatMap((row) =>
    piledNotice(row, row.thread_id === null ? undefined : findThread(tx, sessionId, row.thread_id)),
  );
  const text = digestText(notices, backlogOf(tx, reader), rows.length);
  const plan = systemPlan({ sessionId, at: now, text, target: agentId, notice: { kind: 'digest', by: '' } });
  const route = systemRoute([agentId], { threadId: null, isToOne: true });
  // Before the rest of what piled up.
  const { appended } = insertMessage(tx, { ...plan, priority: 'high' }, route, { sender: undefined, ...noReply });
  for (const { rank, seq } of rows) {
    tx.run(
      'update pending set digest = ? where session_id = ? and agent_id = ? and lane = 0 and rank = ? and seq = ?',
      ...[appended.seq, sessionId, agentId, rank, seq],
    );
  }
  tx.notices.push({ sessionId, appended });
  return true;
}

/** Counted over the first so many copies: a huge backlog must not hold up the writer. */
const backlogCounted = 5_000;

function backlogOf(tx: Tx, { sessionId, agentId }: Reader): Map<string, ThreadBacklog> {
  // uses pending's key, then message by its row number
  const rows = tx.all<{ thread_id: string; unread: number; urgent: number }>(
    `select m.thread_id, count(*) as unread, sum(m.urgent) as urgent
     from (select n from pending where session_id = ? and agent_id = ? and notice is null
           order by lane, rank, seq limit ?) p
     join message m on m.n = p.n where m.session_id = ? and m.thread_id is not null
     group by m.thread_id order by m.thread_id`,
    ...[sessionId, agentId, backlogCounted, sessionId],
  );
  return new Map(rows.map(({ thread_id, unread, urgent }) => [thread_id, { unread, urgent }]));
}
