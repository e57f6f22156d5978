// A routed message before it is stored, its row, and the result for its sender.
import { messageIdOf } from '../../contract/ids.js';
import type { DeadReason } from '../../contract/message.js';
import { lanes, rankOf, type Route } from '../../message/send/route.js';
import type { Appended, Recipient, SendPlan } from '../../ports/store.js';
import { extrasOf, type MessageRow } from '../rows/message-row.js';
import { receiptKinds } from '../rows/receipt-row.js';
import type { AgentFacts } from './statements.js';

export interface Author {
  /** Undefined for `system`. */
  sender: AgentFacts | undefined;
  /** The seq of the message replied to. */
  replyTo: number | null;
  hops: number;
}

export interface Draft {
  plan: SendPlan;
  route: Route;
  author: Author;
  /** Recipients that get a dead letter instead of a copy. */
  undelivered: readonly string[];
  reason: DeadReason;
}

export function draftOf(plan: SendPlan, { route, author }: Pick<Draft, 'route' | 'author'>): Draft {
  return { plan, route, author, undelivered: [], reason: 'INBOX_FULL' };
}

/** A message from `system`. */
export function systemDraft({ plan, route }: Pick<Draft, 'plan' | 'route'>): Draft {
  return draftOf(plan, { route, author: { sender: undefined, replyTo: null, hops: 0 } });
}

/** Its row, with the seq that the store assigned. */
export function rowOf({ plan, route, author }: Pick<Draft, 'plan' | 'route' | 'author'>, seq: number): MessageRow {
  const { sender, replyTo, hops } = author;
  return {
    session_id: plan.sessionId,
    seq,
    thread_id: route.threadId,
    sender: plan.sender,
    name: sender === undefined || sender.name === plan.sender ? null : sender.name,
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
    extras: extrasOf(plan, route.threadId),
    expires_at: plan.expiresAt,
    recipients: listOfIds(route.recipients),
  };
}

/** As JSON. Ids have no characters to escape, so `JSON.stringify` is avoided: this runs for every send. */
function listOfIds(recipients: readonly Recipient[]): string {
  const [first] = recipients;
  if (first === undefined) return '[]';
  return recipients.length === 1 ? `["${first.id}"]` : `["${recipients.map(({ id }) => id).join('","')}"]`;
}

/** The columns of a recipient's copy beside its key. */
export function copyRowOf({ plan }: Pick<Draft, 'plan'>) {
  return {
    rank: rankOf(plan),
    expires_at: plan.expiresAt,
    wants_receipt: plan.wantsReceipt ? receiptKinds.copy : null,
    notice: plan.notice?.kind ?? null,
  };
}

export function laneOf({ isWaking }: Recipient): number {
  return isWaking ? lanes.waking : lanes.plain;
}

/** The ended copies of recipients that get a dead letter. */
export function undeliveredCopies({ route, undelivered, reason, plan }: Draft) {
  return route.recipients
    .filter(({ id }) => undelivered.includes(id))
    .map(({ id, why }) => ({
      agentId: id,
      lane: lanes.waking,
      why,
      attempts: 0,
      deliveredAt: null,
      state: 'dead_lettered' as const,
      reason,
      at: plan.at,
    }));
}

export function appendedAs({ plan, route, undelivered }: Draft, seq: number, salt: number): Appended {
  const recipients =
    undelivered.length === 0 ? route.recipients : route.recipients.filter(({ id }) => !undelivered.includes(id));
  return {
    seq,
    id: messageIdOf(seq, salt),
    threadId: route.threadId,
    sender: plan.sender,
    recipients,
    undelivered: [...undelivered],
    mentions: route.mentions,
    droppedMentions: route.droppedMentions,
    isInterrupt: plan.action === 'interrupt',
    duplicate: false,
  };
}
