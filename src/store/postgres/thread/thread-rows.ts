// Thread rows with their members, longest member first.
import type { Store, ThreadRecord } from '../../../ports/store.js';
import { threadColumns, toThread, type ThreadRow } from '../../rows/thread-row.js';
import { remember } from '../connection/hub-memory.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../connection/transaction.js';

interface CrowdedRow extends ThreadRow {
  members: [id: string, fromSeq: number][];
}

// uses member's key
const crowdedColumns = `${threadColumns},
  (select coalesce(json_agg(json_build_array(own.agent_id, own.from_seq) order by own.place), '[]') from member own
   where own.session_id = t.session_id and own.thread_id = t.id) as members`;

export async function findThread(tx: Tx, sessionId: string, threadId: string): Promise<ThreadRecord | undefined> {
  return (await findThreads(tx, sessionId, [threadId])).get(threadId);
}

/** Those of them that exist. What is not remembered is asked for at once. */
export async function findThreads(
  tx: Tx,
  sessionId: string,
  ids: Iterable<string>,
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
  const rows = await tx.all<CrowdedRow>(
    `select ${crowdedColumns} from thread t where session_id = ? and id = any(?::text[])`,
    ...[sessionId, unknown],
  );
  for (const row of rows) {
    const thread = toThread(row, row.members);
    remember(session.threads, thread.id, thread);
    found.set(thread.id, thread);
  }
  return found;
}

export async function listThreads(
  tx: Tx,
  query: Parameters<Store['listThreads']>[0],
): Promise<{
  threads: (ThreadRecord & { unread: number })[];
  after: (string | number)[] | null;
}> {
  const { sessionId, reader, limit } = query;
  const [createdAt = Number.MAX_SAFE_INTEGER, id = ''] = query.after ?? [];
  const isMember =
    'exists (select 1 from member m where m.session_id = t.session_id and m.thread_id = t.id and m.agent_id = ?)';
  // uses thread_by_age, newest first; member's key for the two membership tests
  const rows = await tx.all<CrowdedRow>(
    `select ${crowdedColumns} from thread t
     where session_id = ? and (created_at, id) < (?, ?) and (?::text is null or status = ?)
       and (?::text is null or ${isMember}) and (is_private = 0 or ?::integer = 1 or ${isMember})
     order by created_at desc, id desc limit ?`,
    ...[sessionId, createdAt, id, query.status, query.status],
    ...[query.participant, query.participant, Number(query.seesPrivate), reader, limit + 1],
  );
  const page = rows.slice(0, limit);
  const unread = reader === null ? new Map<string, number>() : await unreadByThread(tx, sessionId, reader);
  const last = page.at(-1);
  return {
    threads: page.map((row) => ({ ...toThread(row, row.members), unread: unread.get(row.id) ?? 0 })),
    after: rows.length > limit && last !== undefined ? [last.created_at, last.id] : null,
  };
}

/** Counted over the first so many copies: a huge backlog must not cost more than the answer is worth. */
const backlogCounted = 5_000;

async function unreadByThread(tx: Tx, sessionId: string, reader: string): Promise<Map<string, number>> {
  // uses pending's key, then message's
  const rows = await tx.all<{ thread_id: string; count: number }>(
    `select m.thread_id, count(*) as count
     from (select seq from pending where session_id = ? and agent_id = ? order by lane, rank, seq limit ?) p
     join message m on m.session_id = ? and m.seq = p.seq where m.thread_id is not null
     group by m.thread_id`,
    ...[sessionId, reader, backlogCounted, sessionId],
  );
  return new Map(rows.map(({ thread_id, count }) => [thread_id, count]));
}
