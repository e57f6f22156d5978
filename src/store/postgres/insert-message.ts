// Writes the rows of one message and its copies, once it is decided who receives them. The order must be held.
import { messageIdOf } from '../../contract/ids.js';
import { lanes, rankOf, type Route } from '../../message/route.js';
import type { Appended, Recipient, SendPlan } from '../../ports/store.js';
import { keepAttachments } from './attachments.js';
import type { AgentMemory } from './hub-memory.js';
import { extrasOf } from './message-rows.js';
import { findSession, lastSeqOf } from './sessions.js';
import type { Tx } from './transaction.js';
import { wellFormed } from './well-formed.js';

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

/** Recipients in `undelivered` get no copy; whoever calls writes how theirs ended. */
export async function insertMessage(
  tx: Tx,
  plan: SendPlan,
  route: Route,
  author: Author,
  undelivered: readonly string[] = [],
): Promise<{ appended: Appended }> {
  const { sessionId } = plan;
  tx.requireOrder(sessionId);
  const session = await findSession(tx, sessionId);
  if (session === undefined) throw new Error(`session ${sessionId} vanished`);
  const seq = (await lastSeqOf(tx, sessionId)) + 1;
  const columns = messageColumnsOf(plan, route, author);
  await tx.run(
    `insert into message (session_id, seq, origin, sender, ${Object.keys(columns).join(', ')})
     values (?, ?, ?, ?, ${Object.keys(columns)
       .map(() => '?')
       .join(', ')})`,
    ...[sessionId, seq, tx.origin, plan.sender, ...Object.values(columns)],
  );
  const recipients = route.recipients.filter(({ id }) => !undelivered.includes(id));
  await insertCopies(tx, plan, { seq, recipients });
  if (plan.attachments !== null) await keepAttachments(tx, sessionId, seq, plan.attachments);
  tx.hubMemory.sawSeq(sessionId, seq);
  return { appended: appendedAs(plan, route, { seq, id: messageIdOf(seq, session.salt), recipients, undelivered }) };
}

export function appendedAs(
  plan: SendPlan,
  route: Route,
  { undelivered, ...place }: { seq: number; id: string; recipients: Recipient[]; undelivered: readonly string[] },
): Appended {
  return {
    ...place,
    threadId: route.threadId,
    sender: plan.sender,
    undelivered: [...undelivered],
    mentions: route.mentions,
    droppedMentions: route.droppedMentions,
    isInterrupt: plan.action === 'interrupt',
    duplicate: false,
  };
}

async function insertCopies(
  tx: Tx,
  plan: SendPlan,
  { seq, recipients }: { seq: number; recipients: readonly Recipient[] },
): Promise<void> {
  if (recipients.length === 0) return;
  await tx.run(
    `insert into pending (session_id, agent_id, lane, rank, seq, why, expires_at, wants_receipt, notice)
     select ?, c.agent_id, c.lane, ?, ?, c.why, ?, ?, ?
     from unnest(?::text[], ?::integer[], ?::text[]) as c (agent_id, lane, why)`,
    ...[plan.sessionId, rankOf(plan), seq, plan.expiresAt, plan.wantsReceipt ? 1 : null, plan.notice?.kind ?? null],
    recipients.map(({ id }) => id),
    recipients.map(({ isWaking }) => (isWaking ? lanes.waking : lanes.plain)),
    recipients.map(({ why }) => why),
  );
}
