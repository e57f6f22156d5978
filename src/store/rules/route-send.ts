// Collects the facts that routing needs and routes a message. The loop guard is checked before anything is written.
import { everyoneGroup } from '../../contract/ids.js';
import { limits } from '../../contract/limits.js';
import { nearestIds } from '../../contract/input/nearest.js';
import { hopsOf } from '../../message/send/loop-guard.js';
import { soleAddressee, route, type Route, type RouteFacts } from '../../message/send/route.js';
import type { NotifySettings } from '../../notify/decide-notices.js';
import type { Turn } from '../../ports/shared-turns.js';
import type { SendPlan, ThreadRecord } from '../../ports/store.js';
import type { MessageRow } from '../rows/message-row.js';
import type { Author } from './draft.js';
import { membersOf } from './groups.js';
import { meantThread } from './meant-thread.js';
import type { AgentFacts, Statements } from './statements.js';
import { targetNames } from '../sql/agents.js';
import type { Steps } from './steps.js';

export interface RoutedSend {
  route: Route;
  author: Author;
  /** The other agent, if the message is from one agent to exactly one; for the loop guard. */
  turnWith: string | undefined;
}

export function* routeSend(tx: Statements, plan: SendPlan): Steps<RoutedSend> {
  const { sessionId } = plan;
  const replied = plan.replyTo === null ? undefined : yield* tx.findMessage(sessionId, plan.replyTo);
  const sender = (yield* tx.agentFacts(sessionId, [plan.sender])).get(plan.sender);
  const found = route(plan, yield* gatherFacts(tx, plan, { isSenderRegistered: sender !== undefined, replied }));
  const isAgent = sender?.kind === 'agent';
  const turnWith = isAgent ? soleAddressee(found.recipients) : undefined;
  if (turnWith !== undefined) yield* tx.checkTurn(plan, turnWith);
  const hops = isAgent ? hopsTo(replied, plan) : 0;
  return { route: found, author: { sender, replyTo: replied?.seq ?? null, hops }, turnWith };
}

/** Written out, because V8 is slow to read objects made by a spread, and the loop guard keeps these. */
export function turnOf({ sessionId, sender, at }: SendPlan, other: string, seq: number): Turn {
  return { sessionId, sender, other, at, seq };
}

function* gatherFacts(
  tx: Statements,
  plan: SendPlan,
  { isSenderRegistered, replied }: { isSenderRegistered: boolean; replied: MessageRow | undefined },
): Steps<RouteFacts> {
  const { sessionId, target } = plan;
  const threadId = plan.threadId ?? replied?.thread_id ?? null;
  const thread = threadId === null ? undefined : yield* findThread(tx, plan, threadId);
  const foundTarget = target === null ? null : yield* findTarget(tx, plan, target);
  const { prefs } = yield* tx.notifySettings(sessionId);
  return {
    isSenderRegistered,
    thread: thread ?? null,
    target: foundTarget,
    replied: replied === undefined ? null : yield* repliedFacts(tx, plan, replied),
    mentionedGroups: plan.mentions.length === 0 ? noGroups : yield* mentionedGroups(tx, plan),
    prefs,
    nearestTargets: target !== null && foundTarget === null ? yield* nearestTargets(tx, sessionId, target) : [],
  };
}

/** With a target an unknown thread is a label, and a reply inherits labels too: only what the sender wrote may be a title. */
function* findThread(tx: Statements, plan: SendPlan, threadId: string): Steps<ThreadRecord | undefined> {
  const { sessionId, sender, target } = plan;
  const mayBeTitle = target === null && plan.threadId !== null;
  return yield* mayBeTitle ? meantThread(tx, { sessionId, threadId }, sender) : tx.findThread(sessionId, threadId);
}

function* findTarget(tx: Statements, { sessionId, at }: SendPlan, target: string): Steps<RouteFacts['target']> {
  if ((yield* tx.agentFacts(sessionId, [target])).has(target)) return { kind: 'agent', id: target };
  const members = yield* membersOf(tx, { sessionId, name: target, now: at });
  if (members === undefined) return null;
  const registered = yield* tx.agentFacts(sessionId, members);
  return { kind: 'group', members: members.filter((id) => registered.has(id)) };
}

function* repliedFacts(tx: Statements, plan: SendPlan, replied: MessageRow): Steps<NonNullable<RouteFacts['replied']>> {
  const { sessionId } = plan;
  const thread = replied.thread_id === null ? undefined : yield* tx.findThread(sessionId, replied.thread_id);
  const registered = yield* tx.agentFacts(sessionId, [replied.sender]);
  const isSenderRegistered = registered.has(replied.sender);
  return repliedFactsOf(replied, { isSenderRegistered, thread: thread ?? null, plan });
}

const noGroups: ReadonlyMap<string, string[]> = new Map();

function* mentionedGroups(tx: Statements, { sessionId, mentions, at }: SendPlan): Steps<ReadonlyMap<string, string[]>> {
  const registered = yield* tx.agentFacts(sessionId, mentions);
  const groups = new Map<string, string[]>();
  for (const name of mentions) {
    if (name === everyoneGroup) continue;
    const members = registered.has(name) ? undefined : yield* membersOf(tx, { sessionId, name, now: at });
    if (members !== undefined) groups.set(name, members);
  }
  return groups;
}

function* nearestTargets(tx: Statements, sessionId: string, target: string): Steps<string[]> {
  return nearestIds(target, yield* targetNames(tx, sessionId), 3);
}

/** What a store has cached of a session. */
export interface KnownFacts {
  agent(id: string): AgentFacts | undefined;
  thread(id: string): ThreadRecord | undefined;
  notify: NotifySettings | undefined;
}

/**
 * Routes a common send from memory and the message it replies to. Undefined when a needed fact is not cached. Does not
 * check the loop guard.
 */
export function routeKnown(known: KnownFacts, plan: SendPlan, replied?: MessageRow): RoutedSend | undefined {
  const { target, mentions } = plan;
  const threadId = plan.threadId ?? replied?.thread_id ?? null;
  const sender = known.agent(plan.sender);
  const thread = threadId === null ? null : known.thread(threadId);
  if (sender === undefined || thread === undefined || known.notify === undefined) return undefined;
  if (target !== null && known.agent(target) === undefined) return undefined;
  if (mentions.some((id) => id !== everyoneGroup && known.agent(id) === undefined)) return undefined;
  if (plan.replyTo !== null && (replied === undefined || known.agent(replied.sender) === undefined)) return undefined;
  // A message in another thread: that thread decides who may see it, and it may not be cached.
  if (replied !== undefined && replied.thread_id !== threadId) return undefined;
  const found = route(plan, {
    isSenderRegistered: true,
    thread,
    target: target === null ? null : { kind: 'agent', id: target },
    replied: replied === undefined ? null : repliedFactsOf(replied, { isSenderRegistered: true, thread, plan }),
    mentionedGroups: noGroups,
    prefs: known.notify.prefs,
    nearestTargets: [],
  });
  const isAgent = sender.kind === 'agent';
  const turnWith = isAgent ? soleAddressee(found.recipients) : undefined;
  return {
    route: found,
    author: { sender, replyTo: replied?.seq ?? null, hops: isAgent ? hopsTo(replied, plan) : 0 },
    turnWith,
  };
}

function hopsTo(replied: MessageRow | undefined, { at }: SendPlan): number {
  return replied === undefined ? 0 : hopsOf({ hops: replied.hops ?? 0, at: replied.at }, at, limits);
}

function repliedFactsOf(
  replied: MessageRow,
  { isSenderRegistered, thread, plan }: { isSenderRegistered: boolean; thread: ThreadRecord | null; plan: SendPlan },
): NonNullable<RouteFacts['replied']> {
  return {
    sender: replied.sender,
    isSenderRegistered,
    threadId: replied.thread_id,
    recipients: JSON.parse(replied.recipients) as string[],
    isThreadMember: thread?.members.includes(plan.sender) ?? false,
  };
}
