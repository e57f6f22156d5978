// Checks whether all members have read the opening of a critical thread.
import type { OpeningRead } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';

/**
 * Former members do not count. Reads the tables instead of the cached thread: a thread that is being changed must not be
 * cached yet.
 */
export async function openingReadByAll(tx: Tx, sessionId: string, seq: number): Promise<OpeningRead | undefined> {
  // uses the keys of message, critical_thread, thread, member and delivery
  const opening = await tx.get<Omit<OpeningRead, 'readers'>>(
    `select t.id as "threadId", t.title, c.opener
     from (select session_id, seq, thread_id, recipients from message where session_id = ? and seq = ? offset 0) m
     join critical_thread c on c.session_id = m.session_id and c.thread_id = m.thread_id
     join thread t on t.session_id = m.session_id and t.id = m.thread_id
     where c.all_read_at is null and not exists (
       select 1 from jsonb_array_elements_text(m.recipients::jsonb) r (id)
       join member w on w.session_id = m.session_id and w.thread_id = m.thread_id and w.agent_id = r.id
       where not exists (select 1 from delivery d
         where d.session_id = m.session_id and d.seq = m.seq and d.agent_id = r.id and d.state = 'read'))`,
    [sessionId, seq],
  );
  if (opening === undefined) return undefined;
  // uses delivery's key
  const readers = await tx.all<{ id: string }>(
    `select agent_id as id from delivery where session_id = ? and seq = ? and state = 'read'
     order by agent_id limit 100000`,
    [sessionId, seq],
  );
  return { ...opening, readers: readers.map(({ id }) => id) };
}
