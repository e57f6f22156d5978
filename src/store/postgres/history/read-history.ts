// Messages in commit order: by session and by thread.
import type { FeedPage, FeedQuery } from '../../../ports/history.js';
import type { MessageRecord, Store, Tallies } from '../../../ports/store.js';
import { seqOfMessageId } from '../../../contract/ids.js';
import { limits } from '../../../contract/limits.js';
import { examined, feedPage } from '../../rows/feed-page.js';
import { messageColumns, toRecord, type MessageRow } from '../../rows/message-row.js';
import { countWithin, withinSql } from '../../rows/rows-within.js';
import { talliesOf, type Counted } from '../../rows/tallies.js';
import { readableRows } from './reading-rights.js';
import { findSession, lastSeqOf } from '../session/sessions.js';
import type { Tx } from '../connection/transaction.js';

export async function readFeed(tx: Tx, query: FeedQuery): Promise<FeedPage> {
  const { sessionId, afterSeq, limit } = query;
  const session = await findSession(tx, sessionId);
  // uses message's key
  const found = await tx.all<MessageRow>(
    withinSql(`select ${messageColumns} from message where session_id = ? and seq > ? order by seq limit ?`, 'q.seq'),
    [sessionId, afterSeq, limit + 1, query.bytesMax ?? limits.pageBytes],
  );
  const rows = examined(query, found);
  const readable = await readableRows(tx, query, rows);
  return feedPage(query, { rows, readable, salt: session?.salt ?? 0, hasMore: found.length > rows.length });
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
  const direction = fromEnd ? 'desc' : 'asc';
  const rows = await tx.all<MessageRow>(
    withinSql(
      `select ${messageColumns} from message where session_id = ? and thread_id = ? and seq > ? and seq < ?
       order by seq ${direction} limit ?`,
      `q.seq ${direction}`,
    ),
    [sessionId, threadId, after, query.beforeSeq ?? Number.MAX_SAFE_INTEGER, limit + 1, limits.pageBytes],
  );
  const page = rows.slice(0, Math.min(limit, countWithin(rows)));
  if (fromEnd) page.reverse();
  return { messages: page.map((row) => toRecord(row, session.salt)), hasMore: rows.length > page.length };
}

const countOf = (rows: string) => `(select count(*) from (select 1 from ${rows} limit ?) counted)`;

export async function tallies(tx: Tx): Promise<Tallies> {
  // Leased copies by pending_by_token. Messages are not counted: the last seq of a session is their number, and message's key
  // gives it directly.
  const row = await tx.get<Counted>(
    `/* all sessions: numbers for operators */ select ${countOf('pending')} as copies,
       ${countOf('pending where lease_token is not null')} as delivered,
       ${countOf('agent')} as agents, ${countOf('thread')} as threads,
       (select coalesce(sum(last.seq), 0)::bigint from session s cross join lateral
         (select m.seq from message m where m.session_id = s.id order by m.seq desc limit 1) last) as messages`,
    [limits.totals * 2, limits.totals, limits.totals, limits.totals],
  );
  return talliesOf(row ?? { copies: 0, delivered: 0, messages: 0, agents: 0, threads: 0 });
}
