// Writes the rows of one message and its copies, once it is decided who receives them. The order must be held.
import { messageIdOf } from '../../../contract/ids.js';
import { lanes, rankOf, type Route } from '../../../message/send/route.js';
import type { Appended, Recipient, SendPlan } from '../../../ports/store.js';
import { extrasOf } from '../../rows/message-row.js';
import { keepAttachments } from './attachments.js';
import type { AgentMemory } from '../connection/hub-memory.js';
import { findSession, lastSeqOf } from '../session/sessions.js';
import { timeOf } from '../connection/time.js';
import type { Tx } from '../connection/transaction.js';
import { wellFormed } from '../connection/well-formed.js';

export interface Author {
  sender: AgentMemory | undefined;
  /** The seq of the message replied to. */
  replyTo: number | null;
  hops: number;
}

export const noReply = { replyTo: null, hops: 0 } as const;

/** The columns of a message but for its place. */
export function messageColumnsOf(plan: SendPlan, route: Route, { sender, replyTo, hops }: Author) {
  return {
    thread_id: route.threadId === null ? null : wellFormed(route.threadId),
    name: sender === undefined || sender.name === plan.sender ? null : wellFormed(sender.name),
    at: plan.at,
    rank: rankOf(plan),
    role: plan.role ?? (sender?.kind === 'human' ? 'USER' : 'ASSISTANT'),
    type: plan.type ?? (route.threadId === null ? null : 'STATUS'),
    priority: plan.priority,
    action: plan.action,
    urgent: Number(route.urgent),
    reply_to: replyTo,
    hops: hops === 0 ? null : hops,
    target: plan.target,
    content: plan.content,
    mentions: route.mentions.length === 0 ? null : JSON.stringify(route.mentions),
    extras: extrasOf(plan),
    expires_at: plan.expiresAt,
    recipients: JSON.stringify(route.recipients.map(({ id }) => id)),
  };
}

/** A message whose readers are decided. */
export interface Draft {
  plan: SendPlan;
  route: Route;
  author: Author;
  /** They get no copy; whoever calls writes how theirs ended. */
  undelivered: readonly string[];
}

/** Of one session, in their order: two round trips, however many. */
export async function insertMessages(tx: Tx, sessionId: string, given: readonly Draft[]): Promise<Appended[]> {
  tx.requireOrder(sessionId);
  const drafts: Draft[] = [];
  for (const draft of given) drafts.push({ ...draft, plan: await endingByDatabase(tx, draft.plan) });
  const session = await findSession(tx, sessionId);
  if (session === undefined) throw new Error(`session ${sessionId} vanished`);
  const lastSeq = await lastSeqOf(tx, sessionId);
  const appended = drafts.map(({ plan, route, undelivered }, index) => {
    const seq = lastSeq + 1 + index;
    const recipients = route.recipients.filter(({ id }) => !undelivered.includes(id));
    return appendedAs(plan, route, { seq, id: messageIdOf(seq, session.salt), recipients, undelivered });
  });
  await insertRows(tx, sessionId, { lastSeq, drafts, appended });
  for (const [index, { plan }] of drafts.entries()) {
    if (plan.attachments !== null) await keepAttachments(tx, sessionId, lastSeq + 1 + index, plan.attachments);
  }
  return appended;
}

/** What the hub's clock says may be wrong; how long a message lives it knows. */
async function endingByDatabase(tx: Tx, plan: SendPlan): Promise<SendPlan> {
  if (plan.expiresAt === null) return plan;
  return { ...plan, expiresAt: plan.expiresAt - plan.at + (await timeOf(tx, plan.at)) };
}

export async function insertMessage(
  tx: Tx,
  plan: SendPlan,
  route: Route,
  author: Author,
  undelivered: readonly string[] = [],
): Promise<{ appended: Appended }> {
  const [appended] = await insertMessages(tx, plan.sessionId, [{ plan, route, author, undelivered }]);
  if (appended === undefined) throw new Error('a message that is written is answered');
  return { appended };
}

interface NewRows {
  lastSeq: number;
  drafts: readonly Draft[];
  appended: readonly Appended[];
}

async function insertRows(tx: Tx, sessionId: string, { lastSeq, drafts, appended }: NewRows): Promise<void> {
  const messages = drafts.map(({ plan, route, author }, index) => {
    return { seq: lastSeq + 1 + index, sender: plan.sender, ...messageColumnsOf(plan, route, author) };
  });
  await tx.run(
    `insert into message (session_id, seq, origin, sender, thread_id, name, at, rank, role, type, priority, action,
       urgent, reply_to, hops, target, content, mentions, extras, expires_at, recipients)
     select ?, m.seq, ?, m.sender, m.thread_id, m.name, m.at, m.rank, m.role, m.type, m.priority, m.action,
       m.urgent, m.reply_to, m.hops, m.target, m.content, m.mentions, m.extras, m.expires_at, m.recipients
     from jsonb_to_recordset(?::jsonb) as m (seq bigint, sender text, thread_id text, name text, at bigint,
       rank integer, role text, type text, priority text, action text, urgent integer, reply_to bigint, hops integer,
       target text, content text, mentions text, extras text, expires_at bigint, recipients text)`,
    ...[sessionId, tx.origin, JSON.stringify(messages)],
  );
  const copies = drafts.flatMap(({ plan }, index) => copiesOf(plan, appended[index]));
  if (copies.length === 0) return;
  await tx.run(
    `insert into pending (session_id, agent_id, lane, rank, seq, why, expires_at, wants_receipt, notice)
     select ?, c.agent_id, c.lane, c.rank, c.seq, c.why, c.expires_at, c.wants_receipt, c.notice
     from jsonb_to_recordset(?::jsonb) as c (agent_id text, lane integer, rank integer, seq bigint, why text,
       expires_at bigint, wants_receipt integer, notice text)`,
    ...[sessionId, JSON.stringify(copies)],
  );
}

function copiesOf(plan: SendPlan, appended: Appended | undefined): object[] {
  const own = {
    rank: rankOf(plan),
    seq: appended?.seq,
    expires_at: plan.expiresAt,
    wants_receipt: plan.wantsReceipt ? 1 : null,
    notice: plan.notice?.kind ?? null,
  };
  return (appended?.recipients ?? []).map(({ id, why, isWaking }) => {
    return { agent_id: id, lane: isWaking ? lanes.waking : lanes.plain, why, ...own };
  });
}

interface Place {
  seq: number;
  id: string;
  recipients: Recipient[];
  undelivered: readonly string[];
}

export function appendedAs(plan: SendPlan, route: Route, { seq, id, recipients, undelivered }: Place): Appended {
  return {
    seq,
    id,
    recipients,
    threadId: route.threadId,
    sender: plan.sender,
    undelivered: [...undelivered],
    mentions: route.mentions,
    droppedMentions: route.droppedMentions,
    isInterrupt: plan.action === 'interrupt',
    duplicate: false,
  };
}
