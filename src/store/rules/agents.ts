// Registers, updates, removes and lists agents.
import {
  decideProfile,
  idIsGroupName,
  agentNotRegistered,
  isIntroduced,
  requireMayBeAgent,
  requireMayBeNamed,
  requireMayBeNew,
  requireOwner,
  type RegisterPlan,
} from '../../agent/decide-registration.js';
import type { AgentKind } from '../../contract/agent.js';
import { HubError } from '../../contract/errors.js';
import { groupUnknown } from '../../group/decide-group.js';
import type { AgentRecord, Store } from '../../ports/store.js';
import { decideNextOwner } from '../../thread/decide-thread-change.js';
import { endAllCopies, endCopies, endedPerStep } from './end-copies.js';
import { isGroup, membersOf } from './groups.js';
import { closureOf, ensureSession, isRegistered, requireOpen } from './sessions.js';
import type { Inbox, ListedAgent, Statements } from './statements.js';
import { deleteAgent, findAgent, twinOf } from '../sql/agents.js';
import { deleteWakes } from '../sql/wakes.js';
import { deleteNotifyPrefs } from '../sql/notify-settings.js';
import { countCopies, deleteRemovedInbox, findRemovedInbox, insertRemovedInbox } from '../sql/removed-inboxes.js';
import type { Steps } from './steps.js';

export function* registerAgent(tx: Statements, plan: RegisterPlan): Steps<{ agent: AgentRecord; isNew: boolean }> {
  const { sessionId, id, owner, at } = plan;
  requireMayBeAgent(id);
  yield* ensureSession(tx, sessionId, at);
  const before = yield* findAgent(tx, sessionId, id);
  if (before !== undefined && isIntroduced(plan, before)) return { agent: before, isNew: false };
  // Who is registered may still read a closed session.
  if (before !== undefined && plan.onlyIfMissing && (yield* closureOf(tx, sessionId)) !== null)
    return { agent: before, isNew: false };
  yield* requireOpen(tx, sessionId);
  if (before === undefined) {
    if (yield* isGroup(tx, sessionId, id)) throw idIsGroupName(id);
    yield* requireNoCopiesLeft(tx, { sessionId, agentId: id });
    const profile = decideProfile(plan);
    requireMayBeNew({ id, name: profile.name }, yield* twinOf(tx, sessionId, id));
    return { agent: yield* tx.insertAgent(sessionId, { id, kind: 'agent', owner, at, ...profile }), isNew: true };
  }
  requireOwner(plan, before);
  const after = decideProfile(plan, before);
  requireMayBeNamed(after.name, before.name);
  return { agent: yield* tx.updateAgent(sessionId, { before, after, at }), isNew: false };
}

/** Of one transaction: ending a copy takes about 20 µs, and sends wait meanwhile. */
const removedPerStep = 500;

const removal = { state: 'dead_lettered', reason: 'RECIPIENT_REMOVED' } as const;

/** The agent leaves its threads; its unread copies become dead letters. Those of a deep inbox end later, in steps (`hasMore`). */
export function* removeAgent(
  tx: Statements,
  { sessionId, id, at }: Parameters<Store['removeAgent']>[0],
): Steps<{ leftThreads: string[]; deadLettered: number; hasMore: boolean }> {
  if (!(yield* isRegistered(tx, sessionId, id))) throw agentNotRegistered(id);
  const inbox = { sessionId, agentId: id };
  const left = yield* tx.leaveThreads(inbox);
  const leftThreads = left.map(({ threadId }) => threadId);
  const updates = left.map(({ heir, ...thread }) => ({ ...thread, ...decideNextOwner(thread, id, heir) }));
  const changed = updates.filter(({ status, creator }, index) => {
    return status !== left[index]?.status || creator !== left[index].creator;
  });
  yield* tx.updateThreads(sessionId, changed);
  // Before its copies end, so that it gets no receipts for messages to itself.
  yield* deleteAgent(tx, sessionId, id);
  yield* deleteNotifyPrefs(tx, inbox);
  yield* deleteWakes(tx, inbox);
  const seq = yield* tx.lastSeqOf(sessionId);
  const deadLettered = yield* countCopies(tx, inbox);
  const hasMore = deadLettered > removedPerStep;
  if (hasMore) yield* insertRemovedInbox(tx, inbox, { seq, at });
  else yield* endAllCopies(tx, { kind: 'inbox', inbox, upTo: seq, limit: endedPerStep }, { at, ...removal });
  return { leftThreads, deadLettered, hasMore };
}

/** One step. The agent is gone already, so no copy is added or taken; one registered under its id gets copies with later seqs. */
export function* endRemovedInbox(tx: Statements, { sessionId, agentId }: Inbox): Steps<{ hasMore: boolean }> {
  const inbox = { sessionId, agentId };
  const removed = yield* findRemovedInbox(tx, inbox);
  if (removed === undefined) return { hasMore: false };
  const { seq: upTo, at } = removed;
  const { seqs } = yield* endCopies(tx, { kind: 'inbox', inbox, upTo, limit: removedPerStep }, { at, ...removal });
  const hasMore = seqs.length === removedPerStep;
  if (!hasMore) yield* deleteRemovedInbox(tx, inbox);
  return { hasMore };
}

/** A new agent must not get the mail of one that had the same id. */
export function* requireNoCopiesLeft(tx: Statements, inbox: Inbox): Steps<void> {
  if ((yield* findRemovedInbox(tx, inbox)) === undefined) return;
  throw new HubError('BUSY', `The mail of the '${inbox.agentId}' that was removed is still being ended.`, {
    hint: 'Call again in a second.',
    details: { agentId: inbox.agentId, retryAfterMs: 1_000 },
  });
}

/** Only of registered agents. */
export function* agentKinds(
  tx: Statements,
  { sessionId, ids }: Parameters<Store['agentKinds']>[0],
): Steps<[id: string, kind: AgentKind][]> {
  const facts = yield* tx.agentFacts(sessionId, ids);
  return [...facts].map(([id, { kind }]) => [id, kind]);
}

export function* listAgents(
  tx: Statements,
  { sessionId, group, now }: Parameters<Store['listAgents']>[0],
): Steps<ListedAgent[]> {
  const members = group === null ? null : yield* membersOf(tx, { sessionId, name: group, now });
  if (members === undefined) throw groupUnknown(group ?? '');
  return yield* tx.listAgentRows(sessionId, members);
}
