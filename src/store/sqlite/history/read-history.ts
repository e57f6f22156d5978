// Messages in commit order: by session, and by thread through an index that is filled later.
import type { FeedPage, FeedQuery } from '../../../ports/history.js';
import type { MessageRecord, Store, Tallies } from '../../../ports/store.js';
import { seqOfMessageId } from '../../../contract/ids.js';
import { feedPage } from '../../rows/feed-page.js';
import { toRecord } from '../../rows/message-row.js';
import { messageColumns, type MessageRow } from './message-rows.js';
import { indexedUpTo } from './fill-history-indexes.js';
import { mayReadRow } from './reading-rights.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';

export function readFeed(tx: Tx, query: FeedQuery): FeedPage {
  const { sessionId, reader, afterSeq, limit } = query;
  const salt = findSession(tx, sessionId)?.salt ?? 0;
  // uses message_by_seq
  const rows = tx.all<MessageRow>(
    `select ${messageColumns} from message where session_id = ? and seq > ? order by seq limit ?`,
    [sessionId, afterSeq, limit],
  );
  const readable = rows.filter((row) => mayReadRow(tx, row, reader));
  return feedPage(query, { rows, readable, salt });
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
  const page = fromEnd ? seqs.slice(-limit) : seqs.slice(0, limit);
  const salt = findSession(tx, sessionId)?.salt ?? 0;
  const messages = page.flatMap((seq) => {
    const row = tx.get<MessageRow>(`select ${messageColumns} from message where session_id = ? and seq = ?`, [
      sessionId,
      seq,
    ]);
    return row === undefined ? [] : [toRecord(row, salt)];
  });
  return { messages, hasMore: seqs.length > page.length };
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
  const one = (sql: string) => tx.get<{ count: number }>(sql)?.count ?? 0;
  return {
    pending: one('select count(*) as count from pending where lease_token is null'),
    delivered: one('select count(*) as count from pending where lease_token is not null'),
    messages: one('select coalesce(max(n), 0) as count from message'),
    agents: one('select count(*) as count from agent'),
    threads: one('select count(*) as count from thread'),
  };
}
