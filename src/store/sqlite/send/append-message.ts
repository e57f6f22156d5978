// Stores one message and its copies, or the refusal and its dead letter. Runs inside the writer's transaction,
// so a join or a close between the check and the commit cannot happen.
import { HubError } from '../../../contract/errors.js';
import { limits } from '../../../contract/limits.js';
import { nearest } from '../../../contract/nearest.js';
import { hopsOf, type RepliedTo, type Turns } from '../../../message/send/loop-guard.js';
import {
  inboxFull,
  lanes,
  onlyOneMeant,
  route,
  senderUnknown,
  type Route,
  type RouteFacts,
} from '../../../message/send/route.js';
import type { Appended, AppendResult, Recipient, SendPlan } from '../../../ports/store.js';
import { isRegistered, recallAgent } from '../session/agents-known.js';
import { noteAnswer } from '../thread/critical-rows.js';
import { recordEnd, recordUndelivered } from '../inbox/end-copies.js';
import { groupMembers } from '../session/groups.js';
import { recallResult, rememberResult } from './idempotency.js';
import { hasRoom } from './inbox-room.js';
import { insertMessage, noReply } from './insert-message.js';
import { findMessage, type MessageRow } from '../history/message-rows.js';
import { countUnread } from '../inbox/read-inbox.js';
import { packAppended, unpackAppended, type PackedAppended } from './send-wire.js';
import { notifySettings } from '../session/notify-settings.js';
import { findSession } from '../session/sessions.js';
import { findThread } from '../thread/thread-rows.js';
import type { Tx } from '../writer/transaction.js';

export function appendMessage(tx: Tx, plan: SendPlan): AppendResult {
  if (findSession(tx, plan.sessionId) === undefined) throw senderUnknown(plan.sender);
  const before = recallResult<PackedAppended>(tx, plan.sessionId, plan.sender, plan.key);
  if (before !== undefined) {
    return answer(tx, plan, { ...unpackAppended(before, plan.sender), duplicate: true });
  }
  try {
    const appended = appendRouted(tx, plan);
    if (plan.key !== null) rememberResult(tx, plan.sessionId, plan.sender, plan.key, packAppended(appended));
    return answer(tx, plan, appended);
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'TARGET_UNKNOWN') throw error;
    return { refused: keepDeadLetter(tx, plan, error) };
  }
}

/** With the sender's own unread mail, which every answer mentions: one question less for the hot path. */
function answer(tx: Tx, { sessionId, sender }: SendPlan, appended: Appended): AppendResult {
  return { appended, senderUnread: countUnread(tx, { sessionId, agentId: sender }) };
}

export function appendRouted(tx: Tx, plan: SendPlan): Appended {
  const replied = plan.replyTo === null ? undefined : findMessage(tx, plan.sessionId, plan.replyTo);
  const sender = recallAgent(tx, plan.sessionId, plan.sender);
  const found = route(plan, gatherFacts(tx, plan, { isSenderRegistered: sender !== undefined, replied }));
  const turns = sender?.kind === 'agent' ? turnsWith(tx, plan, found) : undefined;
  const hops = sender?.kind === 'agent' ? hopsOf(repliedTo(replied), plan.at, limits) : 0;
  const undelivered = withoutRoom(tx, plan, found);
  const author = { sender, replyTo: replied?.seq ?? null, hops };
  const { n, appended } = insertMessage(tx, plan, found, author, undelivered);
  for (const id of undelivered) recordUndelivered(tx, plan, { n, seq: appended.seq, id, route: found });
  turns?.note({ sender: plan.sender, at: plan.at, seq: appended.seq }, limits);
  // Whatever is said in a critical thread is urgent.
  if (found.urgent) noteAnswer(tx, plan, appended);
  return appended;
}

function repliedTo(replied: MessageRow | undefined): RepliedTo | null {
  return replied === undefined ? null : { hops: replied.hops ?? 0, at: replied.at };
}

/** Checked before anything is written. Undefined when the message is not from one to one. */
function turnsWith(tx: Tx, { sessionId, sender, at }: SendPlan, { recipients }: Route): Turns | undefined {
  const other = onlyOneMeant(recipients);
  const turns = other === undefined ? undefined : findSession(tx, sessionId)?.turnsOf(sender, other);
  if (other !== undefined) turns?.check(sender, other, at, limits);
  return turns;
}

/** Those whose inbox is full. A message to one reader is then refused; of a message to many that copy alone is dead. */
function withoutRoom(tx: Tx, plan: SendPlan, found: Route): string[] {
  const full: string[] = [];
  for (const { id, isWaking } of found.recipients) {
    if (isWaking && !hasRoom(tx, plan.sessionId, id)) full.push(id);
  }
  const [only] = full;
  if (only !== undefined && found.isToOne) throw inboxFull(only);
  return full;
}

function gatherFacts(
  tx: Tx,
  plan: SendPlan,
  { isSenderRegistered, replied }: { isSenderRegistered: boolean; replied: MessageRow | undefined },
): RouteFacts {
  const { sessionId, target } = plan;
  const threadId = plan.threadId ?? replied?.thread_id ?? null;
  const thread = threadId === null ? undefined : findThread(tx, sessionId, threadId);
  const foundTarget = target === null ? null : findTarget(tx, plan, target);
  return {
    isSenderRegistered,
    thread: thread ?? null,
    target: foundTarget,
    replied: replied === undefined ? null : repliedFacts(tx, plan, replied),
    mentionedGroups: mentionedGroups(tx, plan),
    prefs: notifySettings(tx, sessionId).prefs,
    nearestTargets: target !== null && foundTarget === null ? nearestTargets(tx, sessionId, target) : [],
  };
}

function findTarget(tx: Tx, { sessionId, at }: SendPlan, target: string): RouteFacts['target'] {
  if (isRegistered(tx, sessionId, target)) return { kind: 'agent', id: target };
  const members = groupMembers(tx, { sessionId, name: target, now: at });
  return members === undefined
    ? null
    : { kind: 'group', members: members.filter((id) => isRegistered(tx, sessionId, id)) };
}

function repliedFacts(tx: Tx, plan: SendPlan, replied: MessageRow): NonNullable<RouteFacts['replied']> {
  const thread = replied.thread_id === null ? undefined : findThread(tx, plan.sessionId, replied.thread_id);
  return {
    sender: replied.sender,
    isSenderRegistered: isRegistered(tx, plan.sessionId, replied.sender),
    threadId: replied.thread_id,
    recipients: JSON.parse(replied.recipients) as string[],
    isThreadMember: thread?.members.includes(plan.sender) ?? false,
  };
}

const noGroups: ReadonlyMap<string, string[]> = new Map();

function mentionedGroups(tx: Tx, plan: SendPlan): ReadonlyMap<string, string[]> {
  if (plan.mentions.length === 0) return noGroups;
  const groups = new Map<string, string[]>();
  for (const id of plan.mentions) {
    if (isRegistered(tx, plan.sessionId, id)) continue;
    const members = groupMembers(tx, { sessionId: plan.sessionId, name: id, now: plan.at });
    if (members !== undefined) groups.set(id, members);
  }
  return groups;
}

function nearestTargets(tx: Tx, sessionId: string, target: string): string[] {
  const known = tx.all<{ id: string }>(
    `select id from agent where session_id = ? union select name from agent_group where session_id = ? order by 1 limit 10000`,
    sessionId,
    sessionId,
  );
  return nearest(
    target,
    known.map(({ id }) => id),
    3,
  );
}

/** The message is kept with its one copy already dead, so that the sender's mistake can be seen and replayed. */
function keepDeadLetter(tx: Tx, plan: SendPlan, error: HubError): ReturnType<HubError['toObject']> {
  const target = plan.target ?? '';
  const recipients: Recipient[] = [{ id: target, why: 'direct', isWaking: true }];
  const places = { threadId: plan.threadId, recipients, mentions: [], droppedMentions: [] };
  const dead: Route = { ...places, urgent: plan.urgent, isToOne: true };
  const sender = recallAgent(tx, plan.sessionId, plan.sender);
  const { n, appended } = insertMessage(tx, plan, dead, { sender, ...noReply }, [target]);
  const copy = { agentId: target, n, seq: appended.seq, lane: lanes.waking, why: 'direct' as const };
  recordEnd(tx, {
    ...{ sessionId: plan.sessionId, ...copy, attempts: 0, deliveredAt: null },
    ...{ state: 'dead_lettered', reason: 'TARGET_UNKNOWN', at: plan.at },
  });
  const object = error.toObject();
  return { ...object, details: { ...object.details, messageId: appended.id } };
}
