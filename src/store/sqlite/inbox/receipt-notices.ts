// Tells a sender that asked for it how a copy ended, in the same transaction.
import { messageIdOf } from '../../../contract/ids.js';
import { allReadWord, receiptWord } from '../../../message/receipts/receipt-word.js';
import { systemPlan, systemRoute, type SystemWord } from '../../../message/send/system-plan.js';
import { isRegistered } from '../session/agents-known.js';
import type { EndRecord } from './end-copies.js';
import { hasRoom } from '../send/inbox-room.js';
import { insertMessage, noReply } from '../send/insert-message.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';

export function tellSender(tx: Tx, { sessionId, agentId, n, seq, state, reason, at }: EndRecord): void {
  // uses message by its row number
  const message = tx.get<{ sender: string }>('select sender from message where n = ? and session_id = ?', n, sessionId);
  const session = findSession(tx, sessionId);
  if (message === undefined || session === undefined) return;
  const { sender } = message;
  const messageId = messageIdOf(seq, session.salt);
  tellAgent(tx, sender, receiptWord({ sessionId, messageId, sender, recipient: agentId, state, reason, at }));
}

/**
 * The opening of a critical thread reports once, when the last member it was sent to has read it; whoever left is not
 * waited for. Asks the tables and not the memory of threads: a thread that is being changed must not be remembered yet.
 */
export function tellIfAllHaveRead(tx: Tx, { sessionId, n, seq, at }: EndRecord): void {
  const session = findSession(tx, sessionId);
  // uses message by its row number, the keys of critical_thread, thread, member and delivery
  const opening = tx.get<{ threadId: string; title: string; opener: string }>(
    `select t.id as threadId, t.title, c.opener from message m
     join critical_thread c on c.session_id = m.session_id and c.thread_id = m.thread_id
     join thread t on t.session_id = m.session_id and t.id = m.thread_id
     where m.n = ? and m.session_id = ? and c.all_read_at is null and not exists (
       select 1 from json_each(m.recipients) r
       join member w on w.session_id = m.session_id and w.thread_id = m.thread_id and w.agent_id = r.value
       where not exists (select 1 from delivery d
         where d.n = m.n and d.agent_id = r.value and d.session_id = m.session_id and d.state = 'read'))`,
    ...[n, sessionId],
  );
  const readers = opening === undefined ? [] : readersOf(tx, sessionId, n);
  if (opening === undefined || session === undefined || readers.length === 0) return;
  tx.run(
    'update critical_thread set all_read_at = ? where session_id = ? and thread_id = ?',
    ...[at, sessionId, opening.threadId],
  );
  const messageId = messageIdOf(seq, session.salt);
  tellAgent(tx, opening.opener, allReadWord({ ...opening, sessionId, messageId, readers, at }));
}

function readersOf(tx: Tx, sessionId: string, n: number): string[] {
  // uses delivery's key
  const rows = tx.all<{ id: string }>(
    "select agent_id as id from delivery where n = ? and session_id = ? and state = 'read' order by agent_id limit 100000",
    ...[n, sessionId],
  );
  return rows.map(({ id }) => id);
}

/** An agent that is gone or has no room is not told: receipts never push out mail. */
function tellAgent(tx: Tx, agentId: string, word: SystemWord): void {
  const { sessionId } = word;
  if (!isRegistered(tx, sessionId, agentId) || !hasRoom(tx, sessionId, agentId)) return;
  const route = systemRoute([agentId], { threadId: null, isToOne: true });
  const { appended } = insertMessage(tx, systemPlan(word), route, { sender: undefined, ...noReply });
  tx.notices.push({ sessionId, appended });
}
