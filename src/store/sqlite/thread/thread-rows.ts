// Thread and member rows. The writer caches threads and drops those that are written.
import type { ActiveThread } from '../../../ports/history.js';
import type { ThreadRecord } from '../../../ports/store.js';
import {
  activeExamined,
  lastActive,
  threadColumns,
  newestThreads,
  threadListPage,
  threadSelections,
  threadPage,
  toThread,
  type ThreadList,
  type ThreadQuery,
  type ThreadRow,
  unreadCounted,
} from '../../rows/thread-row.js';
import type { Inbox, InThread, Joining, LeftThread, ThreadUpdate } from '../../rules/statements.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';

export function findThread(tx: Tx, sessionId: string, threadId: string): ThreadRecord | undefined {
  const session = findSession(tx, sessionId);
  const known = session?.thread(threadId);
  if (known !== undefined) return known;
  const row = tx.get<ThreadRow>(`select ${threadColumns} from thread where session_id = ? and id = ?`, [
    sessionId,
    threadId,
  ]);
  if (row === undefined) return undefined;
  const found = withMembers(tx, sessionId, row);
  session?.rememberThread(threadId, found);
  return found;
}

export function findThreads(tx: Tx, sessionId: string, threadIds: readonly string[]): Map<string, ThreadRecord> {
  const found = new Map<string, ThreadRecord>();
  for (const id of threadIds) {
    const thread = findThread(tx, sessionId, id);
    if (thread !== undefined) found.set(id, thread);
  }
  return found;
}

function withMembers(tx: Tx, sessionId: string, row: ThreadRow): ThreadRecord {
  // uses member's key
  const members = tx.all<{ agent_id: string; from_seq: number }>(
    'select agent_id, from_seq from member where session_id = ? and thread_id = ? order by place',
    [sessionId, row.id],
  );
  return toThread(
    row,
    members.map(({ agent_id, from_seq }) => [agent_id, from_seq]),
  );
}

export function updateThreads(tx: Tx, sessionId: string, threads: readonly ThreadUpdate[]): void {
  for (const { threadId, status, creator, summary } of threads) {
    tx.run('update thread set status = ?, creator = ?, summary = ? where session_id = ? and id = ?', [
      status,
      creator,
      summary,
      sessionId,
      threadId,
    ]);
    forget(tx, { sessionId, threadId });
  }
}

export function insertMembers(tx: Tx, { sessionId, threadId }: InThread, { ids, fromSeq }: Joining): void {
  const last = tx.get<{ place: number | null }>(
    'select max(place) as place from member where session_id = ? and thread_id = ?',
    [sessionId, threadId],
  );
  for (const [index, id] of ids.entries()) {
    tx.run('insert into member (session_id, thread_id, agent_id, place, from_seq) values (?, ?, ?, ?, ?)', [
      sessionId,
      threadId,
      id,
      (last?.place ?? 0) + 1 + index,
      fromSeq,
    ]);
  }
  forget(tx, { sessionId, threadId });
}

export function leaveThreads(tx: Tx, { sessionId, agentId }: Inbox): LeftThread[] {
  // uses member_by_agent, then the keys of thread and member
  const left = tx.all<LeftThread>(
    `select t.id as threadId, t.status, t.creator, t.summary, (select o.agent_id from member o
       where o.session_id = m.session_id and o.thread_id = m.thread_id and o.agent_id <> m.agent_id
       order by o.place limit 1) as heir
     from member m join thread t on t.session_id = m.session_id and t.id = m.thread_id
     where m.session_id = ? and m.agent_id = ? order by m.thread_id`,
    [sessionId, agentId],
  );
  tx.run('delete from member where session_id = ? and agent_id = ?', [sessionId, agentId]);
  for (const { threadId } of left) forget(tx, { sessionId, threadId });
  return left;
}

function forget(tx: Tx, { sessionId, threadId }: InThread): void {
  tx.memory.session(sessionId)?.forgetThread(threadId);
}

const isIn = {
  sql: 't.id in (select value from json_each(?))',
  value: (ids: readonly string[]) => JSON.stringify(ids),
};

export function activeThreads(tx: Tx, { sessionId }: { sessionId: string }): ActiveThread[] {
  // uses message_by_seq, newest first
  const rows = tx.all<{ thread_id: string | null; at: number }>(
    'select thread_id, at from message where session_id = ? order by seq desc limit ?',
    [sessionId, activeExamined],
  );
  return lastActive(rows);
}

export function listThreads(tx: Tx, query: ThreadQuery): ThreadList {
  const { sessionId, reader, limit } = query;
  const page = threadListPage(query, isIn);
  const selections = threadSelections(query).map(({ member, where, values }) => {
    // uses thread_public_by_age or thread_by_age, newest first; for a member member_by_agent, then thread's key
    const from =
      member === null
        ? 'thread t'
        : 'member o cross join thread t on t.session_id = o.session_id and t.id = o.thread_id';
    const isOf = member === null ? 't.session_id = ?' : 'o.session_id = ? and o.agent_id = ?';
    return tx.all<ThreadRow>(`select ${threadColumns} from ${from} where ${isOf} and ${where} ${page.sql}`, [
      sessionId,
      ...(member === null ? [] : [member]),
      ...values,
      ...page.values,
    ]);
  });
  const rows = newestThreads(selections, query);
  const unread = reader === null ? new Map<string, number>() : unreadByThread(tx, sessionId, reader);
  return threadPage(rows, limit, (row) => ({
    ...withMembers(tx, sessionId, row),
    unread: unread.get(row.id) ?? 0,
  }));
}

function unreadByThread(tx: Tx, sessionId: string, reader: string): Map<string, number> {
  // uses pending's key, then message by its row number
  const rows = tx.all<{ thread_id: string; count: number }>(
    `select m.thread_id as thread_id, count(*) as count
     from (select n from pending where session_id = ? and agent_id = ? order by lane, rank, seq limit ?) p
     join message m on m.n = p.n where m.session_id = ? and m.thread_id is not null
     group by m.thread_id order by m.thread_id`,
    [sessionId, reader, unreadCounted, sessionId],
  );
  return new Map(rows.map(({ thread_id, count }) => [thread_id, count]));
}
