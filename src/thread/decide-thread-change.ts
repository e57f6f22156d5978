// Who may change a thread, and the effects of a change. Pure: the store applies the effects in the same transaction.
import { HubError } from '../contract/errors.js';
import { systemAgentId } from '../contract/ids.js';
import { threadUnknown } from '../message/send/route.js';
import { noticeOf, type Notice } from '../notify/notice.js';
import type { ChangeThreadPlan, ThreadRecord } from '../ports/store.js';
import type { ThreadStatus } from '../contract/thread.js';

export interface ThreadEffects {
  result: string;
  add: string[];
  remove: string[];
  status: ThreadStatus;
  creator: string;
  summary: string | null;
  notices: Notice[];
}

export interface MembershipFacts {
  /** Whether the agent that joins or is added is registered. */
  isRegistered: boolean;
  participantsMax: number;
}

export function decideThreadChange(
  thread: ThreadRecord,
  plan: ChangeThreadPlan,
  facts: MembershipFacts,
): ThreadEffects {
  requireVisible(thread, plan);
  const { change } = plan;
  switch (change.kind) {
    case 'join':
      return addMember(thread, facts, joining(plan.by));
    case 'add':
      requireMember(thread, plan, 'add participants to');
      return addMember(thread, facts, adding(change.participantId, plan.by));
    case 'leave':
      return leave(thread, plan.by);
    case 'remove':
      return remove(thread, plan, change.participantId);
    case 'close':
      return close(thread, plan, change.summary);
    case 'reopen':
      requireOwner(thread, plan, 'reopen');
      return reopen(thread, plan.by);
  }
}

function unchanged(thread: ThreadRecord): ThreadEffects {
  const { status, creator, summary } = thread;
  return { result: '', add: [], remove: [], status, creator, summary, notices: [] };
}

interface Addition {
  id: string;
  result: string;
  notices(thread: ThreadRecord): Notice[];
}

/** A join is confirmed to the agent that joined; no other change notifies its own actor. */
const joining = (id: string): Addition => ({
  id,
  result: 'joined',
  notices: (thread) => [
    noticeOf(thread, 'joined', { to: [id], by: id, agent: id }),
    noticeOf(thread, 'member_joined', { to: thread.members, by: id, agent: id }),
  ],
});

const adding = (id: string, by: string): Addition => ({
  id,
  result: 'added',
  notices: (thread) => (id === by ? [] : [noticeOf(thread, 'added', { to: [id], by, agent: id })]),
});

function addMember(thread: ThreadRecord, facts: MembershipFacts, addition: Addition): ThreadEffects {
  const { id } = addition;
  if (id === systemAgentId) throw systemIsNoMember();
  if (!facts.isRegistered) {
    throw new HubError('AGENT_UNKNOWN', `No agent '${id}' is registered.`, {
      hint: 'Call list_agents for the ids; an agent must register before it can be in a thread.',
      details: { agentId: id },
    });
  }
  if (thread.members.includes(id)) return { ...unchanged(thread), result: 'already_participant' };
  requireOpen(thread);
  if (thread.members.length >= facts.participantsMax) {
    throw new HubError(
      'LIMIT_REACHED',
      `Thread '${thread.id}' has ${thread.members.length} participants, the most allowed.`,
      {
        hint: 'Remove someone first, or open another thread.',
        details: { threadId: thread.id, limit: facts.participantsMax },
      },
    );
  }
  return { ...unchanged(thread), result: addition.result, add: [id], notices: addition.notices(thread) };
}

function leave(thread: ThreadRecord, id: string): ThreadEffects {
  if (!thread.members.includes(id)) return { ...unchanged(thread), result: 'not_a_participant' };
  const [nextOwner = null] = thread.members.filter((member) => member !== id);
  return { ...unchanged(thread), result: 'left', remove: [id], ...decideNextOwner(thread, id, nextOwner) };
}

/** When the owner leaves, the longest-standing member becomes the owner; the last to leave closes the thread. */
export function decideNextOwner(
  { creator, status }: Pick<ThreadRecord, 'creator' | 'status'>,
  leaver: string,
  nextOwner: string | null,
): Pick<ThreadEffects, 'creator' | 'status'> {
  if (nextOwner === null) return { creator, status: 'closed' };
  return { creator: creator === leaver ? nextOwner : creator, status };
}

/** For example a join by a member, or closing a closed thread: nothing has to be written. */
export function isWithoutEffect(
  thread: ThreadRecord,
  { add, remove: removed, status, creator, summary }: ThreadEffects,
): boolean {
  const isSame = status === thread.status && creator === thread.creator && summary === thread.summary;
  return isSame && add.length === 0 && removed.length === 0;
}

function remove(thread: ThreadRecord, plan: ChangeThreadPlan, id: string): ThreadEffects {
  if (id === plan.by) return leave(thread, id);
  requireOwner(thread, plan, 'remove participants from');
  if (id === thread.creator) {
    throw new HubError('FORBIDDEN', `'${id}' created thread '${thread.id}' and cannot be removed.`, {
      hint: 'The creator can leave with leave_thread.',
      details: { threadId: thread.id },
    });
  }
  if (!thread.members.includes(id)) return { ...unchanged(thread), result: 'not_a_participant' };
  const notices = [noticeOf(thread, 'removed', { to: [id], by: plan.by, agent: id })];
  return { ...unchanged(thread), result: 'removed', remove: [id], notices };
}

function close(thread: ThreadRecord, plan: ChangeThreadPlan, summary: string): ThreadEffects {
  requireOwner(thread, plan, 'close');
  if (thread.status === 'closed') return { ...unchanged(thread), result: 'already_closed' };
  const to = others(thread, plan.by);
  const notices = [noticeOf(thread, 'closed', { to, by: plan.by, ...(summary === '' ? {} : { summary }) })];
  return { ...unchanged(thread), result: 'closed', status: 'closed', summary, notices };
}

function reopen(thread: ThreadRecord, by: string): ThreadEffects {
  if (thread.status === 'open') return { ...unchanged(thread), result: 'already_open' };
  const notices = [noticeOf(thread, 'reopened', { to: others(thread, by), by })];
  return { ...unchanged(thread), result: 'reopened', status: 'open', notices };
}

function others({ members }: ThreadRecord, by: string): string[] {
  return members.filter((id) => id !== by);
}

/** Whether only an admin may make this change. */
export function isAdministrative(thread: ThreadRecord, { by, change }: ChangeThreadPlan): boolean {
  const isForOwner =
    change.kind === 'close' || change.kind === 'reopen' || (change.kind === 'remove' && change.participantId !== by);
  return (isForOwner && thread.creator !== by) || (thread.isPrivate && !thread.members.includes(by));
}

/** To non-members a private thread looks as if it did not exist. */
function requireVisible(thread: ThreadRecord, plan: ChangeThreadPlan): void {
  if (!thread.isPrivate || plan.isAdmin || thread.members.includes(plan.by)) return;
  throw threadUnknown(thread.id);
}

function requireOpen(thread: ThreadRecord): void {
  if (thread.status === 'open') return;
  throw new HubError('THREAD_CLOSED', `Thread '${thread.id}' is closed.`, {
    hint: 'Its creator can open it with reopen_thread.',
    details: { threadId: thread.id },
  });
}

function requireMember(thread: ThreadRecord, plan: ChangeThreadPlan, action: string): void {
  if (thread.members.includes(plan.by)) return;
  throw forbidden(thread, plan, { action, hint: 'Call join_thread first.' });
}

function requireOwner(thread: ThreadRecord, plan: ChangeThreadPlan, action: string): void {
  if (plan.isAdmin || thread.creator === plan.by) return;
  throw forbidden(thread, plan, { action, hint: `Ask its creator, ${thread.creator}.` });
}

function forbidden(
  thread: ThreadRecord,
  plan: ChangeThreadPlan,
  { action, hint }: { action: string; hint: string },
): HubError {
  return new HubError('FORBIDDEN', `'${plan.by}' may not ${action} thread '${thread.id}'.`, {
    hint,
    details: { threadId: thread.id },
  });
}

export function systemIsNoMember(): HubError {
  return new HubError('ID_RESERVED', `'${systemAgentId}' is the hub itself and cannot be a participant.`, {
    hint: 'Leave it out.',
    details: { agentId: systemAgentId },
  });
}
