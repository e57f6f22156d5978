// The thread row of both stores.
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
export const isMember =
  'exists (select 1 from member m where m.session_id = t.session_id and m.thread_id = t.id and m.agent_id = ?)';

/** In the order of the placeholders in both stores. */
export function threadListValues({ sessionId, after, status, participant, seesPrivate, reader, limit }: ThreadQuery) {
  const [createdAt = Number.MAX_SAFE_INTEGER, id = ''] = after ?? [];
  const filters = [status, status, participant, participant, Number(seesPrivate), reader];
  return [sessionId, createdAt, id, ...filters, limit + 1];
}

/** Unread posts are counted over at most this many copies, so that a huge backlog does not block the writer. */
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
