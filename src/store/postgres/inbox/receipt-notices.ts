// Tells a sender that asked for it how a copy ended, in the same transaction, under the session's order.
import { messageIdOf } from '../../../contract/ids.js';
import { allReadText, receiptText } from '../../../message/receipts/receipt-text.js';
import { systemPlan, systemRoute, type SystemText } from '../../../message/send/system-plan.js';
import { isRegistered, recallAgents } from '../session/agents-known.js';
import type { EndRecord } from './end-copies.js';
import { hasRoom, haveRoomFor } from '../send/inbox-room.js';
import { insertMessages, noReply, type Draft } from '../send/insert-message.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../connection/transaction.js';

interface Told {
  sender: string;
  end: EndRecord;
}

/** Of one session. At once where there is room for all, since the session's order is held meanwhile. */
export async function tellSenders(tx: Tx, sessionId: string, told: readonly Told[]): Promise<void> {
  const session = await findSession(tx, sessionId);
  if (session === undefined) return;
  const words = told.map(({ sender, end: { agentId, seq, state, reason, at } }) => {
    const messageId = messageIdOf(seq, session.salt);
    return { sender, word: receiptText({ sessionId, messageId, sender, recipient: agentId, state, reason, at }) };
  });
  const senders = [...new Set(words.map(({ sender }) => sender))];
  const registered = await recallAgents(tx, sessionId, senders);
  const isRoom = await haveRoomFor(tx, sessionId, senders, words.length);
  if (isRoom && senders.every((id) => registered.has(id))) {
    const drafts = words.map(({ sender, word }) => draftOf(sender, word));
    const written = await insertMessages(tx, sessionId, drafts);
    tx.notices.push(...written.map((appended) => ({ sessionId, appended })));
    return;
  }
  for (const { sender, word } of words) await tellAgent(tx, sender, word);
}

/**
 * The opening of a critical thread reports once, when the last member it was sent to has read it; whoever left is not
 * waited for. Asks the tables and not the memory of threads: a thread that is being changed must not be remembered yet.
 */
export async function tellIfAllHaveRead(tx: Tx, { sessionId, seq, at }: EndRecord): Promise<void> {
  const session = await findSession(tx, sessionId);
  // uses the keys of message, critical_thread, thread, member and delivery
  const opening = await tx.get<{ threadId: string; title: string; opener: string }>(
    `select t.id as "threadId", t.title, c.opener
     from (select session_id, seq, thread_id, recipients from message where session_id = ? and seq = ? offset 0) m
     join critical_thread c on c.session_id = m.session_id and c.thread_id = m.thread_id
     join thread t on t.session_id = m.session_id and t.id = m.thread_id
     where c.all_read_at is null and not exists (
       select 1 from jsonb_array_elements_text(m.recipients::jsonb) r (id)
       join member w on w.session_id = m.session_id and w.thread_id = m.thread_id and w.agent_id = r.id
       where not exists (select 1 from delivery d
         where d.session_id = m.session_id and d.seq = m.seq and d.agent_id = r.id and d.state = 'read'))`,
    ...[sessionId, seq],
  );
  const readers = opening === undefined ? [] : await readersOf(tx, sessionId, seq);
  if (opening === undefined || session === undefined || readers.length === 0) return;
  await tx.run(
    'update critical_thread set all_read_at = ? where session_id = ? and thread_id = ?',
    ...[at, sessionId, opening.threadId],
  );
  const messageId = messageIdOf(seq, session.salt);
  await tellAgent(tx, opening.opener, allReadText({ ...opening, sessionId, messageId, readers, at }));
}

async function readersOf(tx: Tx, sessionId: string, seq: number): Promise<string[]> {
  // uses delivery's key
  const rows = await tx.all<{ id: string }>(
    `select agent_id as id from delivery where session_id = ? and seq = ? and state = 'read'
     order by agent_id limit 100000`,
    ...[sessionId, seq],
  );
  return rows.map(({ id }) => id);
}

/** An agent that is gone or has no room is not told: receipts never push out mail. */
async function tellAgent(tx: Tx, agentId: string, word: SystemText): Promise<void> {
  const { sessionId } = word;
  if (!(await isRegistered(tx, sessionId, agentId)) || !(await hasRoom(tx, sessionId, agentId))) return;
  const written = await insertMessages(tx, sessionId, [draftOf(agentId, word)]);
  tx.notices.push(...written.map((appended) => ({ sessionId, appended })));
}

function draftOf(agentId: string, word: SystemText): Draft {
  const route = systemRoute([agentId], { threadId: null, isToOne: true });
  return { plan: systemPlan(word), route, author: { sender: undefined, ...noReply }, undelivered: [] };
}
