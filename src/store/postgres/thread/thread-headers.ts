// The headers of the threads that messages belong to, which a reader gets once.
import type { ThreadHeader } from '../../../contract/thread.js';
import type { HandedCopy } from '../../../ports/store.js';
import { participantsShown } from '../../rows/thread-row.js';
import type { Tx } from '../connection/transaction.js';

/**
 * A select of one value, the headers as JSON text. `threads` is SQL for a table `k` with the thread ids as `id`; its
 * parameters come before that of the session. Uses the keys of thread (once per id), member and agent.
 */
export function headersSql(threads: string): string {
  return `select coalesce(json_agg(json_build_object(
      'threadId', t.id, 'title', t.title, 'status', t.status, 'count', crowd.count, 'participants', shown.list)), '[]')::text
    from ${threads}
    cross join lateral (select session_id, id, title, status from thread
      where session_id = ? and id = k.id offset 0) t
    cross join lateral (select count(*) as count from member w
      where w.session_id = t.session_id and w.thread_id = t.id) crowd
    cross join lateral (select coalesce(json_agg(
        json_build_object('id', w.agent_id, 'name', coalesce(a.name, w.agent_id)) order by w.place), '[]') as list
      from (select f.session_id, f.agent_id, f.place from member f
        where f.session_id = t.session_id and f.thread_id = t.id order by f.place limit ${participantsShown}) w
      left join agent a on a.session_id = w.session_id and a.id = w.agent_id) shown`;
}

export type Headers = ReadonlyMap<string, ThreadHeader>;

type HeaderRow = Omit<ThreadHeader, 'moreParticipants'> & { count: number };

export function toHeaders(json: string): Headers {
  const rows = JSON.parse(json) as HeaderRow[];
  return new Map(
    rows.map(({ threadId, title, status, participants, count }) => [
      threadId,
      { threadId, title, status, participants, moreParticipants: count - participants.length },
    ]),
  );
}

/** In the order of the copies. A thread id that was never created is only a label and has no header. */
export function headersAmong(headers: Headers, copies: readonly HandedCopy[]): ThreadHeader[] {
  return threadsOf(copies).flatMap((threadId) => headers.get(threadId) ?? []);
}

export async function headersOf(tx: Tx, sessionId: string, copies: readonly HandedCopy[]): Promise<ThreadHeader[]> {
  const threads = threadsOf(copies);
  if (threads.length === 0) return [];
  const row = await tx.get<{ headers: string }>(`select (${headersSql('unnest(?::text[]) k (id)')}) as headers`, [
    threads,
    sessionId,
  ]);
  return headersAmong(toHeaders(row?.headers ?? '[]'), copies);
}

function threadsOf(copies: readonly HandedCopy[]): string[] {
  return [...new Set(copies.flatMap(({ message }) => (message.threadId === null ? [] : [message.threadId])))];
}
