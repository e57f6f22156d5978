// A thread as both stores keep it.
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

/** Longest member first, each with the first seq it sees. */
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

/** SQL for whether an agent is a member of thread `t`. Uses member's key. */
export const isMember =
  'exists (select 1 from member m where m.session_id = t.session_id and m.thread_id = t.id and m.agent_id = ?)';

/** In the order in which both stores' statements name them. */
export function threadListValues({ sessionId, after, status, participant, seesPrivate, reader, limit }: ThreadQuery) {
  const [createdAt = Number.MAX_SAFE_INTEGER, id = ''] = after ?? [];
  const filters = [status, status, participant, participant, Number(seesPrivate), reader];
  return [sessionId, createdAt, id, ...filters, limit + 1];
}

/** Unread posts are counted over this many copies: a huge backlog must not hold up the writer. */
export const unreadCounted = 5_000;

/** One page of threads and where the next begins; the store reads one row more than the page takes. */
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
