// Registers, updates, removes and lists agents.
import {
  decideProfile,
  idIsGroupName,
  agentNotRegistered,
  isIntroduced,
  requireMayBeAgent,
  requireOwner,
  type RegisterPlan,
} from '../../agent/decide-registration.js';
import { groupUnknown } from '../../group/decide-group.js';
import type { AgentRecord, Store } from '../../ports/store.js';
import { decideNextOwner } from '../../thread/decide-thread-change.js';
import { endAllCopies } from './end-copies.js';
import { isGroup, membersOf } from './groups.js';
import { closureOf, ensureSession, isRegistered, requireOpen } from './sessions.js';
import type { Statements } from './statements.js';
import { deleteAgent, findAgent } from '../sql/agents.js';
import { deleteNotifyPrefs } from '../sql/notify-settings.js';
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
    return {
      agent: yield* tx.insertAgent(sessionId, { id, kind: 'agent', owner, at, ...decideProfile(plan) }),
      isNew: true,
    };
  }
  requireOwner(plan, before);
  const after = decideProfile(plan, before);
  return { agent: yield* tx.updateAgent(sessionId, { before, after, at }), isNew: false };
}

/** The agent leaves its threads; its unread copies become dead letters. */
export function* removeAgent(
  tx: Statements,
  { sessionId, id, at }: Parameters<Store['removeAgent']>[0],
): Steps<{ leftThreads: string[]; deadLettered: number }> {
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
  const ending = { at, state: 'dead_lettered', reason: 'RECIPIENT_REMOVED' } as const;
  return { leftThreads, deadLettered: yield* endAllCopies(tx, { kind: 'inbox', inbox }, ending) };
}

export function* listAgents(
  tx: Statements,
  { sessionId, group, now }: Parameters<Store['listAgents']>[0],
): Steps<(AgentRecord & { unread: number })[]> {
  const members = group === null ? null : yield* membersOf(tx, { sessionId, name: group, now });
  if (members === undefined) throw groupUnknown(group ?? '');
  return yield* tx.listAgentRows(sessionId, members);
}
