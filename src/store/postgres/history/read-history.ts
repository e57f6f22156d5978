// Messages in commit order: by session and by thread.
import type { FeedPage, FeedQuery } from '../../../ports/history.js';
import type { MessageRecord, Store, Tallies } from '../../../ports/store.js';
import { seqOfMessageId } from '../../../contract/ids.js';
import { feedPage } from '../../rows/feed-page.js';
import { messageColumns, toRecord, type MessageRow } from '../../rows/message-row.js';
import { readableRows } from './reading-rights.js';
import { findSession, lastSeqOf } from '../session/sessions.js';
import type { Tx } from '../connection/transaction.js';

export async function readFeed(tx: Tx, query: FeedQuery): Promise<FeedPage> {
  const { sessionId, afterSeq, limit } = query;
  const session = await findSession(tx, sessionId);
  // uses message's key
  const rows = await tx.all<MessageRow>(
    `select ${messageColumns} from message where session_id = ? and seq > ? order by seq limit ?`,
    [sessionId, afterSeq, limit],
  );
  const readable = await readableRows(tx, query, rows);
  return feedPage(query, { rows, readable, salt: session?.salt ?? 0 });
}

export async function lastSeq(tx: Tx, { sessionId }: { sessionId: string }): Promise<number> {
  return lastSeqOf(tx, sessionId);
}

export async function seqOf(tx: Tx, query: { sessionId: string; messageId: string }): Promise<number | null> {
  const session = await findSession(tx, query.sessionId);
  return session === undefined ? null : (seqOfMessageId(query.messageId, session.salt) ?? null);
}

type ThreadQuery = Parameters<Store['readThreadMessages']>[0];

/** In ascending order: the page after `afterSeq`, or else the newest page (before `beforeSeq`, if given). */
export async function readThreadMessages(
  tx: Tx,
  query: ThreadQuery,
): Promise<{ messages: MessageRecord[]; hasMore: boolean }> {
  const { sessionId, threadId, limit } = query;
  const session = await findSession(tx, sessionId);
  if (session === undefined) return { messages: [], hasMore: false };
  const fromEnd = query.afterSeq === null;
  const after = Math.max(query.afterSeq ?? 0, query.fromSeq - 1);
  // uses message_by_thread; one more than the limit shows whether there are more
  const rows = await tx.all<MessageRow>(
    `select ${messageColumns} from message where session_id = ? and thread_id = ? and seq > ? and seq < ?
     order by seq ${fromEnd ? 'desc' : 'asc'} limit ?`,
    [sessionId, threadId, after, query.beforeSeq ?? Number.MAX_SAFE_INTEGER, limit + 1],
  );
  const page = rows.slice(0, limit);
  if (fromEnd) page.reverse();
  return { messages: page.map((row) => toRecord(row, session.salt)), hasMore: rows.length > page.length };
}

export async function tallies(tx: Tx): Promise<Tallies> {
  // Scans the copies that have not ended, which are few. Messages are not counted: the last seq of a session is their
  // number, and message's key gives it directly.
  const row = await tx.get<Tallies>(
    `/* all sessions: numbers for operators */ select copies.*, (select count(*) from agent) as agents, (select count(*) from thread) as threads,
       (select coalesce(sum(last.seq), 0)::bigint from session s cross join lateral
         (select m.seq from message m where m.session_id = s.id order by m.seq desc limit 1) last) as messages
     from (select count(*) filter (where lease_token is null) as pending,
             count(*) filter (where lease_token is not null) as delivered from pending) copies`,
  );
  return row ?? { pending: 0, delivered: 0, messages: 0, agents: 0, threads: 0 };
}
