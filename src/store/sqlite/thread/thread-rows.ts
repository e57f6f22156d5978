// Thread rows with their members, longest member first.
import type { Store, ThreadRecord } from '../../../ports/store.js';
import { threadColumns, toThread, type ThreadRow } from '../../rows/thread-row.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';

export function findThread(tx: Tx, sessionId: string, threadId: string): ThreadRecord | undefined {
  const session = findSession(tx, sessionId);
  const known = session?.thread(threadId);
  if (known !== undefined) return known;
  const found = readThread(tx, sessionId, threadId);
  if (found !== undefined) session?.rememberThread(threadId, found);
  return found;
}

function readThread(tx: Tx, sessionId: string, threadId: string): ThreadRecord | undefined {
  const row = tx.get<ThreadRow>(
    `select ${threadColumns} from thread where session_id = ? and id = ?`,
    sessionId,
    threadId,
  );
  return row === undefined ? undefined : withMembers(tx, sessionId, row);
}

function withMembers(tx: Tx, sessionId: string, row: ThreadRow): ThreadRecord {
  const members = tx.all<{ agent_id: string; from_seq: number }>(
    'select agent_id, from_seq from member where session_id = ? and thread_id = ? order by place',
    sessionId,
    row.id,
  );
  return toThread(
    row,
    members.map(({ agent_id, from_seq }) => [agent_id, from_seq]),
  );
}

export function listThreads(
  tx: Tx,
  query: Parameters<Store['listThreads']>[0],
): {
  threads: (ThreadRecord & { unread: number })[];
  after: (string | number)[] | null;
} {
  const { sessionId, reader, limit } = query;
  const [createdAt = Number.MAX_SAFE_INTEGER, id = ''] = query.after ?? [];
  const isMember =
    'exists (select 1 from member m where m.session_id = t.session_id and m.thread_id = t.id and m.agent_id = ?)';
  // uses thread_by_age, newest first; member's key for the two membership tests
  const rows = tx.all<ThreadRow>(
    `select ${threadColumns} from thread t
     where session_id = ? and (created_at, id) < (?, ?) and (? is null or status = ?)
       and (? is null or ${isMember}) and (is_private = 0 or ? = 1 or ${isMember})
     order by created_at desc, id desc limit ?`,
    ...[sessionId, createdAt, id, query.status, query.status],
    ...[query.participant, query.participant, Number(query.seesPrivate), reader, limit + 1],
  );
  const page = rows.slice(0, limit);
  const unread = reader === null ? new Map<string, number>() : unreadByThread(tx, sessionId, reader);
  const last = page.at(-1);
  return {
    threads: page.map((row) => ({ ...withMembers(tx, sessionId, row), unread: unread.get(row.id) ?? 0 })),
    after: rows.length > limit && last !== undefined ? [last.created_at, last.id] : null,
  };
}

/** Counted over the first so many copies: a huge backlog must not hold up the writer. */
const backlogCounted = 5_000;

function unreadByThread(tx: Tx, sessionId: string, reader: string): Map<string, number> {
  // uses pending's key, then message by its row number
  const rows = tx.all<{ thread_id: string; count: number }>(
    `select m.thread_id as thread_id, count(*) as count
     from (select n from pending where session_id = ? and agent_id = ? order by lane, rank, seq limit ?) p
     join message m on m.n = p.n where m.session_id = ? and m.thread_id is not null
     group by m.thread_id order by m.thread_id`,
    ...[sessionId, reader, backlogCounted, sessionId],
  );
  return new Map(rows.map(({ thread_id, count }) => [thread_id, count]));
}
