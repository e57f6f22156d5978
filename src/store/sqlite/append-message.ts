// Stores one message and its copies, or the refusal and its dead letter. Runs inside the writer's transaction,
// so a join or a close between the check and the commit cannot happen.
import { HubError } from '../../contract/errors.js';
import { messageIdOf } from '../../contract/ids.js';
import { nearest } from '../../contract/nearest.js';
import { lanes, rankOf, route, senderUnknown, type Route, type RouteFacts } from '../../message/route.js';
import type { Appended, AppendResult, Recipient, SendPlan } from '../../ports/store.js';
import { groupMembers, isRegistered, recallAgent } from './agents.js';
import { recordEnd } from './end-copies.js';
import { recallResult, rememberResult } from './idempotency.js';
import { extrasOf, findMessage, messageColumns, type MessageRow } from './message-rows.js';
import type { LateInsert } from './late-inserts.js';
import { countUnread } from './read-inbox.js';
import { findSession } from './sessions.js';
import { findThread } from './thread-rows.js';
import type { Tx } from './transaction.js';
import type { AgentMemory } from './writer-memory.js';

const messageInsert: LateInsert = { table: 'message', columns: messageColumns.split(', ') };
const copyInsert: LateInsert = {
  table: 'pending',
  columns: ['session_id', 'agent_id', 'lane', 'rank', 'seq', 'n', 'why', 'expires_at'],
};

export function appendMessage(tx: Tx, plan: SendPlan): AppendResult {
  if (findSession(tx, plan.sessionId) === undefined) throw senderUnknown(plan.sender);
  const before = recallResult<Appended>(tx, plan.sessionId, plan.sender, plan.key);
  if (before !== undefined) return answer(tx, plan, { ...before, duplicate: true });
  try {
    const appended = appendRouted(tx, plan);
    rememberResult(tx, plan.sessionId, plan.sender, plan.key, appended);
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

/** `except` names members that are not told, such as the one a notice is about. */
export function appendRouted(tx: Tx, plan: SendPlan, except: readonly string[] = []): Appended {
  const replied = plan.replyTo === null ? undefined : findMessage(tx, plan.sessionId, plan.replyTo);
  const sender = recallAgent(tx, plan.sessionId, plan.sender);
  const found = route(plan, gatherFacts(tx, plan, { isSenderRegistered: sender !== undefined, replied }));
  if (except.length > 0) found.recipients = found.recipients.filter(({ id }) => !except.includes(id));
  const { n, appended } = insertMessage(tx, plan, found, { sender, replyTo: replied?.seq ?? null });
  insertCopies(tx, plan, { n, seq: appended.seq, recipients: found.recipients });
  return appended;
}

function gatherFacts(
  tx: Tx,
  plan: SendPlan,
  { isSenderRegistered, replied }: { isSenderRegistered: boolean; replied: MessageRow | undefined },
): RouteFacts {
  const { sessionId, target } = plan;
  const threadId = plan.threadId ?? replied?.thread_id ?? null;
  const thread = threadId === null ? undefined : findThread(tx, sessionId, threadId);
  const foundTarget = target === null ? null : findTarget(tx, sessionId, target);
  return {
    isSenderRegistered,
    thread: thread ?? null,
    target: foundTarget,
    replied: replied === undefined ? null : repliedFacts(tx, plan, replied),
    mentionedGroups: mentionedGroups(tx, plan),
    nearestTargets: target !== null && foundTarget === null ? nearestTargets(tx, sessionId, target) : [],
  };
}

function findTarget(tx: Tx, sessionId: string, target: string): RouteFacts['target'] {
  if (isRegistered(tx, sessionId, target)) return { kind: 'agent', id: target };
  const members = groupMembers(tx, sessionId, target);
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
    const members = groupMembers(tx, plan.sessionId, id);
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

function insertMessage(
  tx: Tx,
  plan: SendPlan,
  found: Route,
  { sender, replyTo }: { sender: AgentMemory | undefined; replyTo: number | null },
): { n: number; appended: Appended } {
  const { sessionId } = plan;
  const session = findSession(tx, sessionId);
  if (session === undefined) throw new Error(`session ${sessionId} vanished`);
  const seq = session.lastSeq + 1;
  const rank = rankOf(plan);
  const name = sender === undefined || sender.name === plan.sender ? null : sender.name;
  const n = nextRow(tx);
  tx.rowsFor(messageInsert).push(
    n,
    sessionId,
    seq,
    found.threadId,
    plan.sender,
    name,
    plan.at,
    rank,
    plan.role ?? (sender?.kind === 'human' ? 'USER' : 'ASSISTANT'),
    plan.type ?? (found.threadId === null ? null : 'STATUS'),
    plan.priority,
    plan.action,
    Number(found.urgent),
    replyTo,
    plan.target,
    plan.content,
    found.mentions.length === 0 ? null : JSON.stringify(found.mentions),
    extrasOf(plan),
    plan.expiresAt,
    JSON.stringify(found.recipients.map(({ id }) => id)),
  );
  session.lastSeq = seq;
  const appended: Appended = {
    seq,
    id: messageIdOf(seq, session.salt),
    threadId: found.threadId,
    sender: plan.sender,
    recipients: found.recipients,
    mentions: found.mentions,
    droppedMentions: found.droppedMentions,
    isInterrupt: plan.action === 'interrupt',
    duplicate: false,
  };
  return { n, appended };
}

/** The one writer numbers the rows itself, so that a message's copies can be written beside it. */
function nextRow(tx: Tx): number {
  tx.memory.lastRow ??= tx.get<{ n: number | null }>('select max(n) as n from message')?.n ?? 0;
  tx.memory.lastRow += 1;
  return tx.memory.lastRow;
}

function insertCopies(tx: Tx, plan: SendPlan, copies: { n: number; seq: number; recipients: Recipient[] }): void {
  const rank = rankOf(plan);
  const session = findSession(tx, plan.sessionId);
  const rows = tx.rowsFor(copyInsert);
  for (const { id, why, isWaking } of copies.recipients) {
    const lane = isWaking ? lanes.waking : lanes.plain;
    if (isWaking) session?.mailMayHaveCome(id);
    rows.push(plan.sessionId, id, lane, rank, copies.seq, copies.n, why, plan.expiresAt);
  }
}

/** The message is kept with its one copy already dead, so that the sender's mistake can be seen and replayed. */
function keepDeadLetter(tx: Tx, plan: SendPlan, error: HubError): ReturnType<HubError['toObject']> {
  const target = plan.target ?? '';
  const recipients: Recipient[] = [{ id: target, why: 'direct', isWaking: true }];
  const dead = { threadId: plan.threadId, recipients, mentions: [], droppedMentions: [], urgent: plan.urgent };
  const sender = recallAgent(tx, plan.sessionId, plan.sender);
  const { n, appended } = insertMessage(tx, plan, dead, { sender, replyTo: null });
  recordEnd(tx, {
    sessionId: plan.sessionId,
    agentId: target,
    n,
    seq: appended.seq,
    lane: lanes.waking,
    why: 'direct',
    attempts: 0,
    deliveredAt: null,
    state: 'dead_lettered',
    reason: 'TARGET_UNKNOWN',
    at: plan.at,
  });
  const object = error.toObject();
  return { ...object, details: { ...object.details, messageId: appended.id } };
}
