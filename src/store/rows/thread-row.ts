// The thread row of both stores.
import type { ActiveThread } from '../../ports/history.js';
import type { Store, ThreadRecord } from '../../ports/store.js';

export interface ThreadRow {
  id: string;
  title: string;
  status: 'open' | 'closed';
  creator: string;
  is_critical: number;
  is_private: number;
  summary: string | null;
  created_at: number;
}

export const threadColumns = 'id, title, status, creator, is_critical, is_private, summary, created_at';

/** `members` in order of joining, each with the first seq that it may read. */
export function toThread(row: ThreadRow, members: readonly [id: string, fromSeq: number][]): ThreadRecord {
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    creator: row.creator,
    isCritical: row.is_critical === 1,
    isPrivate: row.is_private === 1,
    summary: row.summary,
    createdAt: row.created_at,
    members: members.map(([id]) => id),
    hiddenBefore: Object.fromEntries(members.filter(([, fromSeq]) => fromSeq > 0)),
  };
}

export type ThreadQuery = Parameters<Store['listThreads']>[0];
export type ThreadList = Awaited<ReturnType<Store['listThreads']>>;

/** SQL test whether an agent is a member of thread `t`. Uses member's key. */
const isMember =
  'exists (select 1 from member m where m.session_id = t.session_id and m.thread_id = t.id and m.agent_id = ?)';

/** Threads `t`, in part: those of a member, or any. */
export interface ThreadSelection {
  member: string | null;
  where: string;
  values: (string | number)[];
}

/** Together all threads that the reader sees, each once. Neither looks at the private threads of others. */
export function threadSelections({ participant, seesPrivate, reader }: ThreadQuery): ThreadSelection[] {
  if (participant !== null) {
    const isSeen = { where: `(t.is_private = 0 or ${isMember})`, values: [reader ?? ''] };
    return [{ member: participant, ...(seesPrivate ? { where: 'true', values: [] } : isSeen) }];
  }
  if (seesPrivate) return [{ member: null, where: 'true', values: [] }];
  const open = { member: null, where: 't.is_private = 0', values: [] };
  return reader === null ? [open] : [open, { member: reader, where: 't.is_private = 1', values: [] }];
}

/** SQL of what every selection has, and its parameters after those of the selection; `isIn` tests against a list of ids. */
export function threadListPage<Value>(
  { after, status, limit, ids }: ThreadQuery,
  isIn: { sql: string; value: (ids: readonly string[]) => Value },
) {
  const [createdAt = Number.MAX_SAFE_INTEGER, id = ''] = after ?? [];
  const only = ids === undefined ? [] : [isIn.value(ids)];
  return {
    sql: `and (t.created_at, t.id) < (?, ?)${status === null ? '' : ' and t.status = ?'}${ids === undefined ? '' : ` and ${isIn.sql}`}
     order by t.created_at desc, t.id desc limit ?`,
    values: [createdAt, id, ...(status === null ? [] : [status]), ...only, limit + 1],
  };
}

/** The newest of several selections. */
export function newestThreads<Row extends ThreadRow>(selections: readonly Row[][], { limit }: ThreadQuery): Row[] {
  return selections
    .flat()
    .toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
    .slice(0, limit + 1);
}

/** Of the newest messages, so many say which threads are active, so that the cost is the same however long the history is. */
export const activeExamined = 2_000;

/** Each thread with its newest message; the rows are newest first. */
export function lastActive(rows: readonly { thread_id: string | null; at: number }[]): ActiveThread[] {
  const found = new Map<string, ActiveThread>();
  for (const { thread_id: threadId, at } of rows) {
    if (threadId !== null && !found.has(threadId)) found.set(threadId, { threadId, at });
  }
  return [...found.values()];
}

/** Unread posts are counted over at most this many copies, so that a huge backlog does not hold up other reads. */
export const unreadCounted = 5_000;

/** In the header of a thread; the others are only counted. */
export const participantsShown = 10;

/** One page of threads and the position of the next; the store reads one row more than the page has. */
export function threadPage<Row extends ThreadRow, Shown>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    threads: page.map(show),
    after: rows.length > limit && last !== undefined ? [last.created_at, last.id] : null,
  };
}
