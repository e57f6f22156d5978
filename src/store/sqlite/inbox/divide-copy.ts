// Replaces the ended copy of a group that was empty by one for each of its members.
import { lanes } from '../../../message/send/route.js';
import type { Inbox, ReopenedCopy } from '../../rules/statements.js';
import { indexedUpTo } from '../history/fill-history-indexes.js';
import { filedColumns } from './file-copies.js';
import type { Tx } from '../writer/transaction.js';

export function divideCopy(
  tx: Tx,
  { sessionId, agentId: group }: Inbox,
  { key: { lane, rank, seq }, expiresAt, wantsReceipt }: ReopenedCopy,
  members: readonly string[],
): void {
  const ids = JSON.stringify(members);
  // uses message_by_seq, then delivery's key
  const ended = tx.get<{ n: number; why: string }>(
    `select d.n, d.why from message m join delivery d on d.n = m.n and d.agent_id = ? and d.session_id = m.session_id
     where m.session_id = ? and m.seq = ?`,
    [group, sessionId, seq],
  );
  if (ended === undefined) throw new Error(`copy ${seq} of ${group} has not ended`);
  const { n, why } = ended;
  tx.run('delete from delivery where n = ? and agent_id = ? and session_id = ?', [n, group, sessionId]);
  tx.run(
    // filed: the copies around its place may be
    `insert into pending (session_id, agent_id, lane, rank, seq, n, why, expires_at, wants_receipt, ${filedColumns})
     select ?, r.value, ?, ?, ?, ?, ?, ?, ?, m.sender, m.thread_id, m.type, m.target
     from json_each(?) r cross join message m on m.n = ?`,
    [sessionId, lane, rank, seq, n, why, expiresAt, wantsReceipt, ids, n],
  );
  tx.run('update message set recipients = ? where session_id = ? and seq = ?', [ids, sessionId, seq]);
  // A message that is not indexed yet is indexed with its new recipients.
  if (n <= indexedUpTo(tx)) {
    tx.run('insert or ignore into reader_message (session_id, agent_id, seq) select ?, value, ? from json_each(?)', [
      sessionId,
      seq,
      ids,
    ]);
  }
  if (lane === lanes.waking) for (const id of members) tx.memory.session(sessionId)?.copyAdded(id);
}
