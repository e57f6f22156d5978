// Gathers what must be known of a session to route a send, and routes it. Twice at home: ahead of a batch, by what this
// hub remembers, and under the session's lock for what a batch does not take.
import { limits } from '../../../contract/limits.js';
import { nearest } from '../../../contract/nearest.js';
import { hopsOf, type RepliedTo } from '../../../message/send/loop-guard.js';
import { soleAddressee, route, type Route, type RouteFacts } from '../../../message/send/route.js';
import type { SendPlan, ThreadRecord } from '../../../ports/store.js';
import type { MessageRow } from '../../rows/message-row.js';
import { isRegistered, recallAgent } from '../session/agents-known.js';
import { groupMembers } from '../session/groups.js';
import type { HubMemory, SessionMemory } from '../connection/hub-memory.js';
import { noReply, type Author } from './insert-message.js';
import { findMessage } from '../history/message-rows.js';
import { notifySettings } from '../session/notify-settings.js';
import { findThread } from '../thread/thread-rows.js';
import type { Tx } from '../connection/transaction.js';

export interface RoutedSend {
  found: Route;
  author: Author;
  /** Undefined when the message is not from one agent to one. */
  turnWith: string | undefined;
}

export async function routeSend(tx: Tx, plan: SendPlan): Promise<RoutedSend> {
  const { sessionId } = plan;
  const replied = plan.replyTo === null ? undefined : await findMessage(tx, sessionId, plan.replyTo);
  const sender = await recallAgent(tx, sessionId, plan.sender);
  const found = route(plan, await gatherFacts(tx, plan, { isSenderRegistered: sender !== undefined, replied }));
  const isAgent = sender?.kind === 'agent';
  const turnWith = isAgent ? checkedTurn(tx.hubMemory, plan, found) : undefined;
  const hops = isAgent ? hopsOf(repliedTo(replied), plan.at, limits) : 0;
  return { found, author: { sender, replyTo: replied?.seq ?? null, hops }, turnWith };
}

/** Undefined when not all that it takes is remembered. */
export function routeByMemory(memory: HubMemory, session: SessionMemory, plan: SendPlan): RoutedSend | undefined {
  const { agents, threads, notify } = session;
  const { target, threadId, mentions } = plan;
  const sender = agents.get(plan.sender);
  const thread = threadId === null ? null : threads.get(threadId);
  if (sender === undefined || thread === undefined || notify === undefined || plan.replyTo !== null) return undefined;
  if ((target !== null && !agents.has(target)) || !mentions.every((id) => agents.has(id))) return undefined;
  const found = route(plan, {
    isSenderRegistered: true,
    thread,
    target: target === null ? null : { kind: 'agent', id: target },
    replied: null,
    mentionedGroups: noGroups,
    prefs: notify.prefs,
    nearestTargets: [],
  });
  const turnWith = sender.kind === 'agent' ? checkedTurn(memory, plan, found) : undefined;
  return { found, author: { sender, ...noReply }, turnWith };
}

function repliedTo(replied: MessageRow | undefined): RepliedTo | null {
  return replied === undefined ? null : { hops: replied.hops ?? 0, at: replied.at };
}

/** Checked before anything is written. */
function checkedTurn(memory: HubMemory, plan: SendPlan, { recipients }: Route): string | undefined {
  const { sessionId, sender, at } = plan;
  const other = soleAddressee(recipients);
  if (other !== undefined) memory.turnsOf(sessionId, sender, other).check(sender, other, at, limits);
  return other;
}

/** Once it is stored. */
export function noteTurn(memory: HubMemory, plan: SendPlan, other: string | undefined, seq: number): void {
  if (other !== undefined) memory.tookTurn({ sessionId: plan.sessionId, sender: plan.sender, other, at: plan.at, seq });
}

async function gatherFacts(
  tx: Tx,
  plan: SendPlan,
  { isSenderRegistered, replied }: { isSenderRegistered: boolean; replied: MessageRow | undefined },
): Promise<RouteFacts> {
  const { sessionId, target } = plan;
  const threadId = plan.threadId ?? replied?.thread_id ?? null;
  const thread = threadId === null ? undefined : await findThread(tx, sessionId, threadId);
  const foundTarget = target === null ? null : await findTarget(tx, plan, target);
  return {
    isSenderRegistered,
    thread: thread ?? null,
    target: foundTarget,
    replied: replied === undefined ? null : await repliedFacts(tx, plan, replied),
    mentionedGroups: await mentionedGroups(tx, plan),
    prefs: (await notifySettings(tx, sessionId)).prefs,
    nearestTargets: target !== null && foundTarget === null ? await nearestTargets(tx, sessionId, target) : [],
  };
}

async function findTarget(tx: Tx, { sessionId, at }: SendPlan, target: string): Promise<RouteFacts['target']> {
  if (await isRegistered(tx, sessionId, target)) return { kind: 'agent', id: target };
  const members = await groupMembers(tx, { sessionId, name: target, now: at });
  if (members === undefined) return null;
  const registered: string[] = [];
  for (const id of members) if (await isRegistered(tx, sessionId, id)) registered.push(id);
  return { kind: 'group', members: registered };
}

async function repliedFacts(tx: Tx, plan: SendPlan, replied: MessageRow): Promise<NonNullable<RouteFacts['replied']>> {
  const thread: ThreadRecord | undefined =
    replied.thread_id === null ? undefined : await findThread(tx, plan.sessionId, replied.thread_id);
  return {
    sender: replied.sender,
    isSenderRegistered: await isRegistered(tx, plan.sessionId, replied.sender),
    threadId: replied.thread_id,
    recipients: JSON.parse(replied.recipients) as string[],
    isThreadMember: thread?.members.includes(plan.sender) ?? false,
  };
}

const noGroups: ReadonlyMap<string, string[]> = new Map();

async function mentionedGroups(tx: Tx, plan: SendPlan): Promise<ReadonlyMap<string, string[]>> {
  if (plan.mentions.length === 0) return noGroups;
  const groups = new Map<string, string[]>();
  for (const id of plan.mentions) {
    if (await isRegistered(tx, plan.sessionId, id)) continue;
    const members = await groupMembers(tx, { sessionId: plan.sessionId, name: id, now: plan.at });
    if (members !== undefined) groups.set(id, members);
  }
  return groups;
}

async function nearestTargets(tx: Tx, sessionId: string, target: string): Promise<string[]> {
  const known = await tx.all<{ id: string }>(
    `select id from agent where session_id = ? union select name from agent_group where session_id = ? order by 1 limit 10000`,
    ...[sessionId, sessionId],
  );
  return nearest(
    target,
    known.map(({ id }) => id),
    3,
  );
}
