// Who may change a thread, and what a change does. Pure: the store applies the effects in the same transaction.
import { HubError } from '../contract/errors.js';
import { systemAgentId } from '../contract/ids.js';
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
      return addMember(thread, plan.by, facts, joinedWords);
    case 'add':
      requireMember(thread, plan, 'add participants to');
      return addMember(thread, change.participantId, facts, addedWords(plan.by));
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

interface AddedWords {
  result: string;
  notices(thread: ThreadRecord, id: string): Notice[];
}

/** A join is confirmed to the one who joined; it is the only act whose actor is told. */
const joinedWords: AddedWords = {
  result: 'joined',
  notices: (thread, id) => [
    noticeOf(thread, 'joined', [id], { by: id, agent: id }),
    noticeOf(thread, 'member_joined', thread.members, { by: id, agent: id }),
  ],
};

const addedWords = (by: string): AddedWords => ({
  result: 'added',
  notices: (thread, id) => (id === by ? [] : [noticeOf(thread, 'added', [id], { by, agent: id })]),
});

function addMember(thread: ThreadRecord, id: string, facts: MembershipFacts, words: AddedWords): ThreadEffects {
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
  return { ...unchanged(thread), result: words.result, add: [id], notices: words.notices(thread, id) };
}

function leave(thread: ThreadRecord, id: string): ThreadEffects {
  if (!thread.members.includes(id)) return { ...unchanged(thread), result: 'not_a_participant' };
  const [heir = null] = thread.members.filter((member) => member !== id);
  return { ...unchanged(thread), result: 'left', remove: [id], ...decideHeir(thread, id, heir) };
}

/** The longest remaining member then owns the thread; the last to leave closes it. */
export function decideHeir(
  { creator, status }: ThreadRecord,
  leaver: string,
  heir: string | null,
): Pick<ThreadEffects, 'creator' | 'status'> {
  if (heir === null) return { creator, status: 'closed' };
  return { creator: creator === leaver ? heir : creator, status };
}

/** Someone joined who is a member already, or closed what is closed: nothing has to be written. */
export function isWithoutEffect(
  thread: ThreadRecord,
  { add, remove, status, creator, summary }: ThreadEffects,
): boolean {
  const isSame = status === thread.status && creator === thread.creator && summary === thread.summary;
  return isSame && add.length === 0 && remove.length === 0;
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
  const notices = [noticeOf(thread, 'removed', [id], { by: plan.by, agent: id })];
  return { ...unchanged(thread), result: 'removed', remove: [id], notices };
}

function close(thread: ThreadRecord, plan: ChangeThreadPlan, summary: string): ThreadEffects {
  requireOwner(thread, plan, 'close');
  if (thread.status === 'closed') return { ...unchanged(thread), result: 'already_closed' };
  const about = { by: plan.by, ...(summary === '' ? {} : { summary }) };
  const notices = [noticeOf(thread, 'closed', others(thread, plan.by), about)];
  return { ...unchanged(thread), result: 'closed', status: 'closed', summary, notices };
}

function reopen(thread: ThreadRecord, by: string): ThreadEffects {
  if (thread.status === 'open') return { ...unchanged(thread), result: 'already_open' };
  const notices = [noticeOf(thread, 'reopened', others(thread, by), { by })];
  return { ...unchanged(thread), result: 'reopened', status: 'open', notices };
}

function others({ members }: ThreadRecord, by: string): string[] {
  return members.filter((id) => id !== by);
}

/** A private thread does not exist for those outside it. */
function requireVisible(thread: ThreadRecord, plan: ChangeThreadPlan): void {
  if (!thread.isPrivate || plan.isAdmin || thread.members.includes(plan.by)) return;
  throw new HubError('THREAD_UNKNOWN', `No thread '${thread.id}'.`, {
    hint: 'Call list_threads for the ids, or create_thread.',
    details: { threadId: thread.id },
  });
}

function requireOpen(thread: ThreadRecord): void {
  if (thread.status === 'open') return;
  throw new HubError('THREAD_CLOSED', `Thread '${thread.id}' is closed.`, {
    hint: 'Its creator can open it with reopen_thread.',
    details: { threadId: thread.id },
  });
}

function requireMember(thread: ThreadRecord, plan: ChangeThreadPlan, deed: string): void {
  if (thread.members.includes(plan.by)) return;
  throw forbidden(thread, plan, deed, 'Call join_thread first.');
}

function requireOwner(thread: ThreadRecord, plan: ChangeThreadPlan, deed: string): void {
  if (plan.isAdmin || thread.creator === plan.by) return;
  throw forbidden(thread, plan, deed, `Ask its creator, ${thread.creator}.`);
}

function forbidden(thread: ThreadRecord, plan: ChangeThreadPlan, deed: string, hint: string): HubError {
  return new HubError('FORBIDDEN', `'${plan.by}' may not ${deed} thread '${thread.id}'.`, {
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
