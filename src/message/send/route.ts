// Who receives a message, and why. Pure: the store calls it in its transaction with the facts it read.
import { HubError } from '../../contract/errors.js';
import { everyoneGroup, systemAgentId } from '../../contract/ids.js';
import type { Priority, Why } from '../../contract/message.js';
import type { NotifyPrefs } from '../../contract/notify.js';
import { nameList } from '../../contract/text/name-list.js';
import { wakes } from './wakes.js';
import type { Recipient, SendPlan, ThreadRecord } from '../../ports/store.js';

export interface RouteFacts {
  isSenderRegistered: boolean;
  /** The given thread, or that of the replied-to message. Null if the threadId is only a label. */
  thread: ThreadRecord | null;
  target: { kind: 'agent'; id: string } | { kind: 'group'; members: string[] } | null;
  replied: {
    sender: string;
    isSenderRegistered: boolean;
    threadId: string | null;
    recipients: string[];
    isThreadMember: boolean;
  } | null;
  /** Members of the groups that `mentions` names, but for `all`. */
  mentionedGroups: ReadonlyMap<string, string[]>;
  nearestTargets: string[];
  /** Preferences of the agents that have set some. */
  prefs: ReadonlyMap<string, NotifyPrefs>;
}

export interface Route {
  threadId: string | null;
  recipients: Recipient[];
  mentions: string[];
  droppedMentions: string[];
  urgent: boolean;
  /** Addressed to a single reader: the send fails if that inbox is full. */
  isToOne: boolean;
}

/** Inbox order: interrupts first, then by priority. Lower ranks come first. */
export function rankOf({ action, priority }: Pick<SendPlan, 'action' | 'priority'>): number {
  const ranks: Record<Priority, number> = { high: 1, normal: 2, low: 3 };
  return action === 'interrupt' ? 0 : ranks[priority];
}

/** Mail that wakes a wait for mentions lies in lane 0, plain thread posts in lane 1. */
export const lanes = { waking: 0, plain: 1 } as const;

export function route(plan: SendPlan, facts: RouteFacts): Route {
  if (!facts.isSenderRegistered && plan.sender !== systemAgentId) throw senderUnknown(plan.sender);
  if (plan.replyTo !== null && !maySeeReplied(plan, facts)) throw repliedUnknown(plan.replyTo);
  const thread = threadOf(plan, facts);
  if (plan.target !== null) return routeToTarget(plan, facts, thread);
  if (thread !== null) return routeToThread(plan, facts, thread);
  if (plan.threadId !== null) throw threadUnknown(plan.threadId);
  if (facts.replied !== null) return toAuthor(plan, facts, facts.replied);
  throw new HubError('INVALID_INPUT', 'A message needs a threadId, a target, or a message it replies to.', {
    hint: 'Give threadId (a thread you are in) or target (an agent or group).',
  });
}

/** A reply inherits the thread of the message it answers, unless its target is not in that thread. */
function threadOf(plan: SendPlan, facts: RouteFacts): ThreadRecord | null {
  const { thread } = facts;
  const isInherited = plan.threadId === null;
  if (thread === null || !isInherited || plan.target === null) return thread;
  const members = facts.target?.kind === 'agent' ? [facts.target.id, plan.sender] : [plan.sender];
  return members.every((id) => thread.members.includes(id)) ? thread : null;
}

function routeToThread(plan: SendPlan, facts: RouteFacts, thread: ThreadRecord): Route {
  requireMayPost(plan, thread);
  const { mentions, droppedMentions } = mentionsAmong(thread.members, plan, facts);
  const inThread = { plan, facts, mentioned: new Set(mentions) };
  const urgent = plan.urgent || thread.isCritical;
  const recipients: Recipient[] = [];
  for (const id of thread.members) {
    if (id === plan.sender) continue;
    const why = whyInThread(id, inThread);
    recipients.push(recipient(id, why, { plan, facts, threadId: thread.id, urgent }));
  }
  return { threadId: thread.id, recipients, mentions, droppedMentions, urgent, isToOne: false };
}

/**
 * Ids given as mentions and ids found in the text; only given ones are reported when they are not present. `all` means
 * every member, also one that was not seen for long.
 */
function mentionsAmong(
  ids: readonly string[],
  plan: SendPlan,
  facts: RouteFacts,
): Pick<Route, 'mentions' | 'droppedMentions'> {
  if (plan.mentions.length === 0 && plan.mentionsInText.length === 0) return { mentions: [], droppedMentions: [] };
  const present = new Set([...ids, everyoneGroup]);
  return {
    mentions: unique([...namedIn(plan, facts), ...plan.mentionsInText].filter((id) => present.has(id))),
    droppedMentions: unique(plan.mentions.filter((id) => !present.has(id) && !facts.mentionedGroups.has(id))),
  };
}

/** The given mentions, groups as their members. `all` stays as it is: a list of everyone would cost every reader tokens. */
function namedIn(plan: SendPlan, { mentionedGroups }: RouteFacts): string[] {
  return plan.mentions.flatMap((id) => mentionedGroups.get(id) ?? [id]);
}

function recipient(
  id: string,
  why: Why,
  { plan, facts, threadId, urgent }: { plan: SendPlan; facts: RouteFacts; threadId: string | null; urgent: boolean },
): Recipient {
  const isUrgent = urgent || plan.action === 'interrupt';
  return { id, why, isWaking: wakes(facts.prefs.get(id), { why, threadId, isUrgent }) };
}

function whyInThread(
  id: string,
  { plan, facts, mentioned }: { plan: SendPlan; facts: RouteFacts; mentioned: ReadonlySet<string> },
): Why {
  if (plan.sender === systemAgentId) return 'system';
  if (mentioned.has(id) || mentioned.has(everyoneGroup)) return 'mention';
  return facts.replied?.sender === id ? 'reply' : 'thread';
}

function routeToTarget(plan: SendPlan, facts: RouteFacts, thread: ThreadRecord | null): Route {
  const { target } = facts;
  // The thread is checked first: the dead letter of an unknown target is stored in it.
  if (thread !== null) requireMayPost(plan, thread);
  if (target === null) throw plan.target === systemAgentId ? targetIsHub() : targetUnknown(plan, facts);
  const why: Why = plan.sender === systemAgentId ? 'system' : target.kind === 'group' ? 'group' : 'direct';
  const ids = target.kind === 'group' ? target.members.filter((id) => id !== plan.sender) : [target.id];
  const outside = thread === null ? undefined : ids.find((id) => !thread.members.includes(id));
  if (thread !== null && outside !== undefined) {
    throw new HubError('FORBIDDEN', `'${outside}' is not in thread '${thread.id}'.`, {
      hint: 'Add them with add_participant, or leave threadId out.',
      details: { target: outside, threadId: thread.id },
    });
  }
  if (ids.length === 0) throw groupEmpty(plan);
  const named = namedIn(plan, facts).filter((id) => id !== everyoneGroup);
  // A threadId that no one created is a label that groups messages; an existing thread accepts only its members.
  const label = facts.thread === null ? facts.replied?.threadId : undefined;
  const threadId = thread?.id ?? plan.threadId ?? label ?? null;
  const urgent = plan.urgent || (thread?.isCritical ?? false);
  return {
    threadId,
    recipients: unique(ids).map((id) => recipient(id, why, { plan, facts, threadId, urgent })),
    mentions: unique(named.filter((id) => ids.includes(id))),
    droppedMentions: unique(named.filter((id) => !ids.includes(id))),
    urgent,
    isToOne: target.kind === 'agent',
  };
}

/** A reply outside of any thread goes to the author of the message it answers. */
function toAuthor(plan: SendPlan, facts: RouteFacts, replied: NonNullable<RouteFacts['replied']>): Route {
  const id = replied.sender;
  const { threadId } = replied;
  const isNoOne = id === plan.sender || id === systemAgentId;
  if (!isNoOne && !replied.isSenderRegistered) throw authorUnknown(id);
  return {
    threadId,
    recipients: isNoOne ? [] : [recipient(id, 'reply', { plan, facts, threadId, urgent: plan.urgent })],
    mentions: [],
    droppedMentions: plan.mentions,
    urgent: plan.urgent,
    isToOne: true,
  };
}

function requireMayPost(plan: SendPlan, thread: ThreadRecord): void {
  if (plan.sender === systemAgentId) return;
  if (!thread.members.includes(plan.sender)) {
    if (thread.isPrivate && !plan.isAdmin) throw threadUnknown(thread.id);
    throw new HubError('FORBIDDEN', `'${plan.sender}' is not a participant of thread '${thread.id}'.`, {
      hint: 'Call join_thread first, or ask a member to add you.',
      details: { threadId: thread.id },
    });
  }
  if (thread.status === 'closed') {
    throw new HubError('THREAD_CLOSED', `Thread '${thread.id}' is closed.`, {
      hint: 'Read it with get_thread, call reopen_thread, or open a new one with create_thread.',
      details: { threadId: thread.id },
    });
  }
}

function maySeeReplied(plan: SendPlan, { replied }: RouteFacts): boolean {
  if (replied === null) return false;
  return (
    plan.isAdmin || replied.isThreadMember || replied.sender === plan.sender || replied.recipients.includes(plan.sender)
  );
}

export function threadUnknown(threadId: string): HubError {
  return new HubError('THREAD_UNKNOWN', `No thread '${threadId}'.`, {
    hint:
      'Call list_threads for the ids, or create_thread. ' +
      'A title is looked up only among the open threads you are in.',
    details: { threadId },
  });
}

/** Given by a title that several open threads of the caller have. */
export function threadAmbiguous(title: string, ids: readonly string[]): HubError {
  return new HubError('THREAD_UNKNOWN', `You are in ${ids.length} open threads called '${title}'.`, {
    hint: `Give one of their ids as threadId: ${nameList(ids)}.`,
    details: { threadId: title, threadIds: ids.slice(0, idsShown) },
  });
}

const idsShown = 20;

export function senderUnknown(id: string): HubError {
  return new HubError('AGENT_UNKNOWN', `No agent '${id}' is registered.`, {
    hint: `Call register_agent with agentId '${id}' first.`,
    details: { agentId: id },
  });
}

function repliedUnknown(messageId: string): HubError {
  return new HubError('MESSAGE_UNKNOWN', `No message '${messageId}'.`, {
    hint: 'Use the id of a message you sent or were handed.',
    details: { messageId },
  });
}

function authorUnknown(id: string): HubError {
  return new HubError('AGENT_UNKNOWN', `'${id}', the author of the message you reply to, is no longer registered.`, {
    hint: 'Give target or threadId to send it to someone else.',
    details: { agentId: id },
  });
}

function targetUnknown(plan: SendPlan, facts: RouteFacts): HubError {
  const near = facts.nearestTargets;
  const look =
    near.length === 0
      ? 'Call list_agents for the ids, list_groups for the groups.'
      : `Did you mean ${near.join(' or ')}? list_agents has all ids, list_groups the groups.`;
  const replay = `Once '${plan.target}' has registered, replay it: get_dead_letters has its id for replay_dead_letter`;
  return new HubError('TARGET_UNKNOWN', `No agent or group '${plan.target}'. The message is kept as a dead letter.`, {
    hint: `${look} ${replay}.`,
    details: { target: plan.target, nearest: near },
  });
}

/** No one can ever be it, so there is nothing to replay. */
function targetIsHub(): HubError {
  const what = `'${systemAgentId}' is the hub itself, which reads no messages. The message is kept as a dead letter.`;
  return new HubError('TARGET_UNKNOWN', what, {
    hint: 'Call list_agents for the ids, list_groups for the groups.',
    details: { target: systemAgentId, nearest: [] },
  });
}

function groupEmpty({ target }: SendPlan): HubError {
  const what = `Group '${target}' has no registered member but you. The message is kept as a dead letter.`;
  return new HubError('GROUP_EMPTY', what, {
    hint:
      'list_agents has the ids of agents, list_groups who is in which group. ' +
      `Once '${target}' has members (set_group), replay it: get_dead_letters has its id for replay_dead_letter.`,
    details: { target },
  });
}

/** The only recipient, or the only one that the message wakes; undefined if there are several. */
export function soleAddressee(recipients: readonly Recipient[]): string | undefined {
  if (recipients.length === 1) return recipients[0]?.id;
  const woken = recipients.filter(({ isWaking }) => isWaking);
  return woken.length === 1 ? woken[0]?.id : undefined;
}

export function inboxFull(id: string): HubError {
  return new HubError('INBOX_FULL', `The inbox of '${id}' is full. The message was not sent.`, {
    hint: `Try again when '${id}' has read some messages; list_agents shows how many are unread.`,
    details: { target: id },
  });
}

function unique(ids: string[]): string[] {
  return ids.length < 2 ? ids : [...new Set(ids)];
}
