// Checks whether all members have read the opening of a critical thread.
import type { OpeningRead } from '../../rules/statements.js';
import type { Tx } from '../writer/transaction.js';

/**
 * Former members do not count. Reads the tables instead of the cached thread: a thread that is being changed must not be
 * cached yet.
 */
export function openingReadByAll(tx: Tx, sessionId: string, seq: number): OpeningRead | undefined {
  // uses message_by_seq, the keys of critical_thread, thread, member and delivery
  const opening = tx.get<Omit<OpeningRead, 'readers'> & { n: number }>(
    `select m.n, t.id as threadId, t.title, c.opener from message m
     join critical_thread c on c.session_id = m.session_id and c.thread_id = m.thread_id
     join thread t on t.session_id = m.session_id and t.id = m.thread_id
     where m.session_id = ? and m.seq = ? and c.all_read_at is null and not exists (
       select 1 from json_each(m.recipients) r
       join member w on w.session_id = m.session_id and w.thread_id = m.thread_id and w.agent_id = r.value
       where not exists (select 1 from delivery d
         where d.n = m.n and d.agent_id = r.value and d.session_id = m.session_id and d.state = 'read'))`,
    [sessionId, seq],
  );
  if (opening === undefined) return undefined;
  const { n, ...found } = opening;
  // uses delivery's key
  const readers = tx.all<{ id: string }>(
    "select agent_id as id from delivery where n = ? and session_id = ? and state = 'read' order by agent_id limit 100000",
    [n, sessionId],
  );
  return { ...found, readers: readers.map(({ id }) => id) };
}
