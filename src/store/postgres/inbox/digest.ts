// Gathers a pile of notices into one digest, in the transaction that hands it out. The notices stay in their threads'
// history; their copies wait behind the digest and end as it ends.
import { defaultNotifyPrefs } from '../../../contract/notify.js';
import { systemPlan, systemRoute } from '../../../message/send/system-plan.js';
import { digestText, isDigestDue, type DigestedNotice, type ThreadBacklog } from '../../../notify/digest.js';
import type { LeaseRequest } from '../../../ports/store.js';
import { piledNotice, type NoticeRow } from '../../rows/notice-row.js';
import { hasRoom } from '../send/inbox-room.js';
import { insertMessage, noReply } from '../send/insert-message.js';
import { notifySettings } from '../session/notify-settings.js';
import { findThreads } from '../thread/thread-rows.js';
import type { Tx } from '../connection/transaction.js';

type Reader = Pick<LeaseRequest, 'sessionId' | 'agentId' | 'now'>;

/** Enough for any text; what lies beyond is in the next digest. */
const noticesMax = 1_000;

/** One's own removal is never gathered: it is in no thread's history. True when a digest was written: the inbox then reads differently. */
export async function gatherDigest(tx: Tx, reader: Reader): Promise<boolean> {
  const { sessionId, agentId, now } = reader;
  const prefs = (await notifySettings(tx, sessionId)).prefs.get(agentId) ?? defaultNotifyPrefs;
  const rows = await freeNotices(tx, reader);
  const [oldest] = rows;
  if (oldest === undefined || !isDigestDue(prefs, { count: rows.length, oldestAt: oldest.at, now })) return false;
  tx.requireOrder(sessionId);
  if (!(await hasRoom(tx, sessionId, agentId))) return false;
  const notices = await piledNotices(tx, sessionId, rows);
  const text = digestText(notices, await backlogOf(tx, reader), rows.length);
  const plan = systemPlan({ sessionId, at: now, text, target: agentId, notice: { kind: 'digest', by: '' } });
  const route = systemRoute([agentId], { threadId: null, isToOne: true });
  // Before the rest of what piled up.
  const { appended } = await insertMessage(tx, { ...plan, priority: 'high' }, route, { sender: undefined, ...noReply });
  // uses pending's key
  await tx.run(
    `update pending p set digest = ? from unnest(?::integer[], ?::bigint[]) k (rank, seq)
     where p.session_id = ? and p.agent_id = ? and p.lane = 0 and p.rank = k.rank and p.seq = k.seq`,
    ...[appended.seq, rows.map(({ rank }) => rank), rows.map(({ seq }) => seq), sessionId, agentId],
  );
  tx.notices.push({ sessionId, appended });
  return true;
}

/** Held once it may come to a digest. One that someone else is about to take is not waited for. */
async function freeNotices(tx: Tx, { sessionId, agentId }: Reader): Promise<NoticeRow[]> {
  // uses pending's key, then message's
  return tx.all<NoticeRow>(
    `select p.rank, p.seq, m.at, m.thread_id, m.extras from pending p
     cross join lateral (select at, thread_id, extras from message
       where session_id = p.session_id and seq = p.seq offset 0) m
     where p.session_id = ? and p.agent_id = ? and p.lane = 0 and p.notice not in ('digest', 'removed')
       and p.digest is null and p.lease_token is null
     order by p.rank, p.seq limit ?${tx.holdsOrder(sessionId) ? ' for update of p skip locked' : ''}`,
    ...[sessionId, agentId, noticesMax],
  );
}

async function piledNotices(tx: Tx, sessionId: string, rows: readonly NoticeRow[]): Promise<DigestedNotice[]> {
  const threads = await findThreads(tx, sessionId, [...new Set(rows.flatMap(({ thread_id: id }) => id ?? []))]);
  return rows.flatMap((row) => piledNotice(row, row.thread_id === null ? undefined : threads.get(row.thread_id)));
}

/** Counted over the first so many copies: a huge backlog must not hold up the session's order. */
const backlogCounted = 5_000;

async function backlogOf(tx: Tx, { sessionId, agentId }: Reader): Promise<Map<string, ThreadBacklog>> {
  // uses pending's key, then message's
  const rows = await tx.all<{ thread_id: string; unread: number; urgent: number }>(
    `select m.thread_id, count(*) as unread, sum(m.urgent) as urgent
     from (select session_id, seq from pending where session_id = ? and agent_id = ? and notice is null
           order by lane, rank, seq limit ?) p
     cross join lateral (select thread_id, urgent from message
       where session_id = p.session_id and seq = p.seq offset 0) m where m.thread_id is not null
     group by m.thread_id order by m.thread_id`,
    ...[sessionId, agentId, backlogCounted],
  );
  return new Map(rows.map(({ thread_id, unread, urgent }) => [thread_id, { unread, urgent }]));
}
