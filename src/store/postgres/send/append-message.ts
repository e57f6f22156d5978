// Stores one message and its copies, or the refusal and its dead letter, under the session's lock: for what a batch does
// not take, such as attachments, answers in critical threads, full inboxes and refusals, which must be told by the truth.
import { HubError, type ErrorObject } from '../../../contract/errors.js';
import { inboxFull, lanes, senderUnknown, type Route } from '../../../message/send/route.js';
import type { Appended, AppendResult, Recipient, SendPlan } from '../../../ports/store.js';
import { recallAgent } from '../session/agents-known.js';
import { noteAnswer } from '../thread/critical-rows.js';
import { recordEnd, recordUndelivered } from '../inbox/end-copies.js';
import { recallSend, rememberSend } from './idempotency.js';
import { withoutRoom } from './inbox-room.js';
import { insertMessage, noReply } from './insert-message.js';
import { countUnread } from '../inbox/read-inbox.js';
import { noteTurn, routeSend } from './route-send.js';
import { packAnswer, unpackAnswer } from './send-answer.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../connection/transaction.js';

export async function appendMessage(tx: Tx, plan: SendPlan): Promise<AppendResult> {
  const session = await findSession(tx, plan.sessionId);
  if (session === undefined) throw senderUnknown(plan.sender);
  const before = await recallSend(tx, plan);
  if (before !== undefined) {
    const place = { seq: before.seq, salt: session.salt, sender: plan.sender };
    return answer(tx, plan, unpackAnswer(before.result, place));
  }
  try {
    const appended = await appendRouted(tx, plan);
    await rememberSend(tx, plan, { seq: appended.seq, result: packAnswer(appended) });
    return await answer(tx, plan, appended);
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'TARGET_UNKNOWN') throw error;
    return { refused: await keepDeadLetter(tx, plan, error) };
  }
}

/** With the sender's own unread mail, which every answer mentions. */
async function answer(tx: Tx, { sessionId, sender }: SendPlan, appended: Appended): Promise<AppendResult> {
  return { appended, senderUnread: await countUnread(tx, { sessionId, agentId: sender }) };
}

export async function appendRouted(tx: Tx, plan: SendPlan): Promise<Appended> {
  const { found, author, turnWith } = await routeSend(tx, plan);
  const undelivered = await undeliverable(tx, plan, found);
  const { appended } = await insertMessage(tx, plan, found, author, undelivered);
  for (const id of undelivered) await recordUndelivered(tx, plan, { seq: appended.seq, id, route: found });
  noteTurn(tx.hubMemory, plan, turnWith, appended.seq);
  // Whatever is said in a critical thread is urgent.
  if (found.urgent) await noteAnswer(tx, plan, appended);
  return appended;
}

/** Those whose inbox is full. A message to one reader is then refused; of a message to many that copy alone is dead. */
async function undeliverable(tx: Tx, plan: SendPlan, found: Route): Promise<string[]> {
  const waking = found.recipients.flatMap(({ id, isWaking }) => (isWaking ? [id] : []));
  const full = await withoutRoom(tx, plan.sessionId, waking);
  const [only] = full;
  if (only !== undefined && found.isToOne) throw inboxFull(only);
  return full;
}

/** The message is kept with its one copy already dead, so that the sender's mistake can be seen and replayed. */
async function keepDeadLetter(tx: Tx, plan: SendPlan, error: HubError): Promise<ErrorObject> {
  const target = plan.target ?? '';
  const recipients: Recipient[] = [{ id: target, why: 'direct', isWaking: true }];
  const places = { threadId: plan.threadId, recipients, mentions: [], droppedMentions: [] };
  const dead: Route = { ...places, urgent: plan.urgent, isToOne: true };
  const sender = await recallAgent(tx, plan.sessionId, plan.sender);
  const { appended } = await insertMessage(tx, plan, dead, { sender, ...noReply }, [target]);
  const copy = { agentId: target, seq: appended.seq, lane: lanes.waking, why: 'direct' as const };
  await recordEnd(tx, {
    ...{ sessionId: plan.sessionId, ...copy, attempts: 0, deliveredAt: null },
    ...{ state: 'dead_lettered', reason: 'TARGET_UNKNOWN', at: plan.at },
  });
  const object = error.toObject();
  return { ...object, details: { ...object.details, messageId: appended.id } };
}
