// Thread rows with their members in order of joining.
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
import { remember } from '../connection/hub-memory.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../connection/transaction.js';

interface RowWithMembers extends ThreadRow {
  members: [id: string, fromSeq: number][];
}

// uses member's key
const columnsWithMembers = `${threadColumns},
  (select coalesce(json_agg(json_build_array(own.agent_id, own.from_seq) order by own.place), '[]') from member own
   where own.session_id = t.session_id and own.thread_id = t.id) as members`;

export async function findThread(tx: Tx, sessionId: string, threadId: string): Promise<ThreadRecord | undefined> {
  return (await findThreads(tx, sessionId, [threadId])).get(threadId);
}

/** Existing threads only. Those that are not cached are read in one round trip. */
export async function findThreads(
  tx: Tx,
  sessionId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ThreadRecord>> {
  const found = new Map<string, ThreadRecord>();
  const session = await findSession(tx, sessionId);
  if (session === undefined) return found;
  const unknown: string[] = [];
  for (const id of new Set(ids)) {
    const known = session.threads.get(id);
    if (known === undefined) unknown.push(id);
    else found.set(id, known);
  }
  if (unknown.length === 0) return found;
  // uses thread's key, once per id
  const rows = await tx.all<RowWithMembers>(
    `select ${columnsWithMembers} from thread t where session_id = ? and id = any(?::text[])`,
    [sessionId, unknown],
  );
  for (const row of rows) {
    const thread = toThread(row, row.members);
    remember(session.threads, thread.id, thread);
    found.set(thread.id, thread);
  }
  return found;
}

export async function updateThreads(tx: Tx, sessionId: string, threads: readonly ThreadUpdate[]): Promise<void> {
  if (threads.length === 0) return;
  await tx.factsChange(sessionId);
  // uses thread's key, once per id
  await tx.run(
    `update thread t set status = given.status, creator = given.creator, summary = given.summary
     from unnest(?::text[], ?::text[], ?::text[], ?::text[]) as given (id, status, creator, summary)
     where t.session_id = ? and t.id = given.id`,
    [
      threads.map(({ threadId }) => threadId),
      threads.map(({ status }) => status),
      threads.map(({ creator }) => creator),
      threads.map(({ summary }) => summary),
      sessionId,
    ],
  );
}

export async function insertMembers(
  tx: Tx,
  { sessionId, threadId }: InThread,
  { ids, fromSeq }: Joining,
): Promise<void> {
  await tx.factsChange(sessionId);
  // uses member's key
  await tx.run(
    `insert into member (session_id, thread_id, agent_id, place, from_seq)
     select ?, ?, given.id, last.place + given.place, ?
     from unnest(?::text[]) with ordinality as given (id, place)
     cross join (select coalesce(max(place), 0) as place from member where session_id = ? and thread_id = ?) last`,
    [sessionId, threadId, fromSeq, ids, sessionId, threadId],
  );
}

export async function leaveThreads(tx: Tx, { sessionId, agentId }: Inbox): Promise<LeftThread[]> {
  await tx.factsChange(sessionId);
  // uses member_by_agent, then the keys of thread and member; the subselects still see the deleted rows
  return tx.all<LeftThread>(
    `with gone as (delete from member where session_id = ? and agent_id = ? returning thread_id)
     select t.id as "threadId", t.status, t.creator, t.summary, (select o.agent_id from member o
       where o.session_id = t.session_id and o.thread_id = t.id and o.agent_id <> ? order by o.place limit 1) as heir
     from gone cross join lateral (select session_id, id, status, creator, summary from thread
       where session_id = ? and id = gone.thread_id offset 0) t
     order by t.id collate "C"`,
    [sessionId, agentId, agentId, sessionId],
  );
}

const isIn = { sql: 't.id = any(?::text[])', value: (ids: readonly string[]) => ids };

export async function activeThreads(tx: Tx, { sessionId }: { sessionId: string }): Promise<ActiveThread[]> {
  // uses message's key, newest first
  const rows = await tx.all<{ thread_id: string | null; at: number }>(
    'select thread_id, at from message where session_id = ? order by seq desc limit ?',
    [sessionId, activeExamined],
  );
  return lastActive(rows);
}

export async function listThreads(tx: Tx, query: ThreadQuery): Promise<ThreadList> {
  const { sessionId, reader, limit } = query;
  const page = threadListPage(query, isIn);
  const selections: RowWithMembers[][] = [];
  for (const { member, where, values } of threadSelections(query)) {
    // uses thread_public_by_age or thread_by_age, newest first; for a member member_by_agent, then thread's key
    const from =
      member === null
        ? 'thread t where t.session_id = ?'
        : `member o cross join lateral (select * from thread
             where session_id = o.session_id and id = o.thread_id offset 0) t where o.session_id = ? and o.agent_id = ?`;
    selections.push(
      await tx.all<RowWithMembers>(`select ${columnsWithMembers} from ${from} and ${where} ${page.sql}`, [
        sessionId,
        ...(member === null ? [] : [member]),
        ...values,
        ...page.values,
      ]),
    );
  }
  const rows = newestThreads(selections, query);
  const unread = reader === null ? new Map<string, number>() : await unreadByThread(tx, sessionId, reader);
  return threadPage(rows, limit, (row) => ({ ...toThread(row, row.members), unread: unread.get(row.id) ?? 0 }));
}

async function unreadByThread(tx: Tx, sessionId: string, reader: string): Promise<Map<string, number>> {
  // uses pending's key, then message's
  const rows = await tx.all<{ thread_id: string; count: number }>(
    `select m.thread_id, count(*) as count
     from (select seq from pending where session_id = ? and agent_id = ? order by lane, rank, seq limit ?) p
     join message m on m.session_id = ? and m.seq = p.seq where m.thread_id is not null
     group by m.thread_id`,
    [sessionId, reader, unreadCounted, sessionId],
  );
  return new Map(rows.map(({ thread_id, count }) => [thread_id, count]));
}
