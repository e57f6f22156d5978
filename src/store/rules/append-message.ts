// Stores one message and its copies, or the refusal and its dead letter.
import { HubError, type ErrorObject } from '../../contract/errors.js';
import { systemAgentId } from '../../contract/ids.js';
import type { DeadReason } from '../../contract/message.js';
import { requireSameRequest } from '../../message/send/decide-retry.js';
import { inboxFull, senderUnknown, type Route } from '../../message/send/route.js';
import { sessionClosed } from '../../session/decide-closing.js';
import type { Appended, AppendResult, SendPlan } from '../../ports/store.js';
import { draftOf, type Draft } from './draft.js';
import { routeSend, turnOf } from './route-send.js';
import type { Statements } from './statements.js';
import { insertAnswer } from '../sql/critical-threads.js';
import type { Steps } from './steps.js';

export function* appendMessage(tx: Statements, plan: SendPlan): Steps<AppendResult> {
  const { sessionId, sender, key } = plan;
  const session = yield* tx.findSession(sessionId);
  if (session === undefined) throw senderUnknown(sender);
  const before = key === null ? undefined : yield* tx.findSentBefore({ sessionId, sender, key });
  if (key !== null && before !== undefined) {
    requireSameRequest(key, before.hash);
    return yield* answer(tx, plan, { ...before.unpack(), duplicate: true });
  }
  if (session.closure !== null) throw sessionClosed(sessionId, session.closure);
  try {
    const appended = yield* appendRouted(tx, plan);
    if (key !== null) yield* tx.saveSent({ sessionId, sender, key }, appended);
    return yield* answer(tx, plan, appended);
  } catch (error) {
    const reason = error instanceof HubError ? keptFor(error) : undefined;
    if (!(error instanceof HubError) || reason === undefined) throw error;
    return { refused: yield* storeDeadLetter(tx, plan, { error, reason }) };
  }
}

/** Why a refused message is kept as a dead letter: no one has its target's name, or no one is in that group yet. */
function keptFor({ code }: HubError): DeadReason | undefined {
  return code === 'TARGET_UNKNOWN' || code === 'GROUP_EMPTY' ? code : undefined;
}

/** Includes the sender's unread count, which every result reports; this saves the client a call. */
function* answer(tx: Statements, { sessionId, sender }: SendPlan, appended: Appended): Steps<AppendResult> {
  return { appended, senderUnread: yield* tx.countUnread({ sessionId, agentId: sender }) };
}

export function* appendRouted(tx: Statements, plan: SendPlan): Steps<Appended> {
  const routed = yield* routeSend(tx, plan);
  const undelivered = yield* undeliverable(tx, plan, routed.route);
  const appended = yield* insertMessage(tx, { ...draftOf(plan, routed), undelivered });
  if (routed.turnWith !== undefined) {
    yield* tx.noteTurn(turnOf(plan, routed.turnWith, appended.seq));
  }
  // Every message in a critical thread is urgent.
  if (routed.route.urgent) yield* noteAnswer(tx, plan, appended);
  return appended;
}

export function* insertMessage(tx: Statements, draft: Draft): Steps<Appended> {
  const [appended] = yield* tx.insertMessages(draft.plan.sessionId, [draft]);
  if (appended === undefined) throw new Error('an inserted message was not returned');
  return appended;
}

/** Recipients whose inbox is full. A message to one recipient is refused; of a message to several, only those copies die. */
function* undeliverable(tx: Statements, { sessionId }: SendPlan, route: Route): Steps<string[]> {
  const waking = route.recipients.flatMap(({ id, isWaking }) => (isWaking ? [id] : []));
  const full = waking.length === 0 ? waking : yield* tx.fullInboxes(sessionId, waking);
  const [only] = full;
  if (only !== undefined && route.isToOne) throw inboxFull(only);
  return full;
}

/** A member's first post in a critical thread after the opening is its answer. */
function* noteAnswer(tx: Statements, { sessionId, sender, at }: SendPlan, { threadId, seq }: Appended): Steps<void> {
  if (threadId === null || sender === systemAgentId) return;
  const thread = yield* tx.findThread(sessionId, threadId);
  if (thread?.isCritical === true) yield* insertAnswer(tx, { sessionId, threadId }, { agentId: sender, seq, at });
}

/** Stores the message with a dead copy, so that the failed send can be inspected and replayed. */
function* storeDeadLetter(
  tx: Statements,
  plan: SendPlan,
  { error, reason }: { error: HubError; reason: DeadReason },
): Steps<ErrorObject> {
  const { sessionId, threadId, urgent } = plan;
  const target = plan.target ?? '';
  const route: Route = {
    threadId,
    recipients: [{ id: target, why: reason === 'GROUP_EMPTY' ? 'group' : 'direct', isWaking: true }],
    mentions: [],
    droppedMentions: [],
    urgent,
    isToOne: true,
  };
  const sender = (yield* tx.agentFacts(sessionId, [plan.sender])).get(plan.sender);
  const author = { sender, replyTo: null, hops: 0 };
  const appended = yield* insertMessage(tx, { plan, route, author, undelivered: [target], reason });
  const object = error.toObject();
  return { ...object, details: { ...object.details, messageId: appended.id } };
}
