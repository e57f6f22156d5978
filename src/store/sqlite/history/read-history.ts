// Messages in commit order: by session, and by thread through an index that is filled later.
import type { FeedPage, FeedQuery } from '../../../ports/history.js';
import type { MessageRecord, Store, Tallies } from '../../../ports/store.js';
import { seqOfMessageId } from '../../../contract/ids.js';
import { limits } from '../../../contract/limits.js';
import { examined, feedPage } from '../../rows/feed-page.js';
import { toRecord } from '../../rows/message-row.js';
import { talliesOf } from '../../rows/tallies.js';
import { messageColumns, messagesWithin, type MessageRow } from './message-rows.js';
import { indexedUpTo } from './fill-history-indexes.js';
import { mayReadRow } from './reading-rights.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';

export function readFeed(tx: Tx, query: FeedQuery): FeedPage {
  const { sessionId, reader, afterSeq, limit } = query;
  const salt = findSession(tx, sessionId)?.salt ?? 0;
  // uses message_by_seq
  const found = tx.page<MessageRow>(
    `select ${messageColumns} from message where session_id = ? and seq > ? order by seq limit ?`,
    [sessionId, afterSeq, limit + 1],
    query.bytesMax,
  );
  const rows = examined(query, found);
  const readable = rows.filter((row) => mayReadRow(tx, row, reader));
  return feedPage(query, { rows, readable, salt, hasMore: found.length > rows.length });
}

export function lastSeq(tx: Tx, { sessionId }: { sessionId: string }): number {
  return findSession(tx, sessionId)?.lastSeq ?? 0;
}

export function seqOf(tx: Tx, query: { sessionId: string; messageId: string }): number | null {
  const session = findSession(tx, query.sessionId);
  return session === undefined ? null : (seqOfMessageId(query.messageId, session.salt) ?? null);
}

type ThreadQuery = Parameters<Store['readThreadMessages']>[0];

/** In ascending order: the page after `afterSeq`, or else the newest page (before `beforeSeq`, if given). */
export function readThreadMessages(tx: Tx, query: ThreadQuery): { messages: MessageRecord[]; hasMore: boolean } {
  const { sessionId, threadId, limit } = query;
  const fromEnd = query.afterSeq === null;
  const range = {
    sessionId,
    threadId,
    after: Math.max(query.afterSeq ?? 0, query.fromSeq - 1),
    before: query.beforeSeq ?? Number.MAX_SAFE_INTEGER,
  };
  const seqs = [...indexedSeqs(tx, { ...range, fromEnd, limit: limit + 1 }), ...tailSeqs(tx, range)].toSorted(
    (a, b) => a - b,
  );
  // Nearest first, so that a page that is full leaves out the farthest.
  const page = fromEnd ? seqs.slice(-limit).toReversed() : seqs.slice(0, limit);
  const salt = findSession(tx, sessionId)?.salt ?? 0;
  const { rows, isFull } = messagesWithin(tx, sessionId, page);
  const messages = rows.map((row) => toRecord(row, salt));
  if (fromEnd) messages.reverse();
  return { messages, hasMore: isFull || seqs.length > page.length };
}

interface ThreadRange {
  sessionId: string;
  threadId: string;
  after: number;
  before: number;
}

function indexedSeqs(tx: Tx, range: ThreadRange & { fromEnd: boolean; limit: number }): number[] {
  // uses thread_message's key
  return tx
    .all<{ seq: number }>(
      `select seq from thread_message where session_id = ? and thread_id = ? and seq > ? and seq < ?
       order by seq ${range.fromEnd ? 'desc' : 'asc'} limit ?`,
      [range.sessionId, range.threadId, range.after, range.before, range.limit],
    )
    .map(({ seq }) => seq);
}

/** Messages that are not indexed yet: few, and adjacent on disk. */
function tailSeqs(tx: Tx, range: ThreadRange): number[] {
  // by row number; the plus keeps SQLite from scanning the whole session by message_by_seq
  return tx
    .all<{ seq: number }>(
      `select seq from message where n > ? and +session_id = ? and thread_id = ? and +seq > ? and +seq < ? order by n`,
      [indexedUpTo(tx), range.sessionId, range.threadId, range.after, range.before],
    )
    .map(({ seq }) => seq);
}

export function tallies(tx: Tx): Tallies {
  const countOf = (rows: string, most = limits.totals) =>
    tx.get<{ count: number }>(`select count(*) as count from (select 1 from ${rows} limit ?)`, [most])?.count ?? 0;
  return talliesOf({
    copies: countOf('pending', limits.totals * 2),
    // uses pending_by_token, which has only leased copies
    delivered: countOf('pending indexed by pending_by_token where lease_token is not null'),
    // the last row number
    messages: tx.get<{ n: number | null }>('select max(n) as n from message')?.n ?? 0,
    agents: countOf('agent'),
    threads: countOf('thread'),
  });
}
