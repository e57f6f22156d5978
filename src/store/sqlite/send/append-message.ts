// A send on the writer thread. Most sends need only cached agents and threads; these apply the same rules without
// generators, which cost a third of a send.
import type { Appended, AppendResult, SendPlan } from '../../../ports/store.js';
import { appendMessage as append } from '../../rules/append-message.js';
import { draftOf } from '../../rules/draft.js';
import { routeKnown, turnOf } from '../../rules/route-send.js';
import { runNow } from '../../rules/steps.js';
import { findMessage } from '../history/message-rows.js';
import { countUnread } from '../inbox/read-inbox.js';
import type { Tx } from '../writer/transaction.js';
import type { SessionMemory } from '../writer/writer-memory.js';
import { findResultBefore, saveSent } from './idempotency.js';
import { roomOf } from './inbox-room.js';
import { insertMessage } from './insert-message.js';
import { checkTurn, noteTurn } from './turns.js';

export function appendMessage(tx: Tx, plan: SendPlan): AppendResult {
  const session = tx.memory.session(plan.sessionId);
  const appended = session === undefined ? undefined : appendKnown(tx, session, plan);
  if (appended === undefined) return runNow(append(tx.statements, plan));
  return { appended, senderUnread: countUnread(tx, { sessionId: plan.sessionId, agentId: plan.sender }) };
}

/** Undefined when a fact must be read first or the case is rare: a closed session, a retry, a full inbox, a critical thread. */
function appendKnown(tx: Tx, session: SessionMemory, plan: SendPlan): Appended | undefined {
  const { sessionId, sender, key } = plan;
  if (session.closure !== null) return undefined;
  if (key !== null && findResultBefore(tx, { sessionId, sender, key }) !== undefined) return undefined;
  const replied = plan.replyTo === null ? undefined : findMessage(tx, sessionId, plan.replyTo);
  const routed = routeKnown(session, plan, replied);
  if (routed === undefined || routed.route.urgent) return undefined;
  const { route, turnWith } = routed;
  for (const { id, isWaking } of route.recipients) {
    if (isWaking && roomOf(tx, sessionId, id) <= 0) return undefined;
  }
  if (turnWith !== undefined) checkTurn(tx, plan, turnWith);
  const appended = insertMessage(tx, session, draftOf(plan, routed));
  if (turnWith !== undefined) noteTurn(tx, turnOf(plan, turnWith, appended.seq));
  if (key !== null) saveSent(tx, { sessionId, sender, key }, appended);
  return appended;
}
