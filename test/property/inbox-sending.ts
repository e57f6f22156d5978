// The model's half of a send: who gets a copy, in which lane, and what is refused.
import type { ErrorCode } from '../../dist/contract/errors.js';
import type { MessageRecord, Recipient, SendPlan } from '../../dist/ports/store.js';
import type { Accepted, Copy, Inbox } from './inbox-model.js';

export type Verdict =
  | { kind: 'sent'; accepted: Accepted; isDuplicate: boolean }
  /** `isKept`: refused, and a dead letter of it is stored. */
  | { kind: 'refused'; code: ErrorCode; isKept: boolean };

/** Decides and changes the model. What only the store knows, the message's id, is filled in from its answer. */
export function send(model: Inbox, plan: SendPlan, inboxMax: number): Verdict {
  const { key } = plan;
  const known = key === null ? undefined : model.keys.get(`${plan.sender} ${key.key}`);
  const before = known !== undefined && known.expiresAt > plan.at ? known : undefined;
  if (before !== undefined) {
    if (before.hash !== key?.hash) return refused('IDEMPOTENCY_CONFLICT');
    return { kind: 'sent', accepted: before.accepted, isDuplicate: true };
  }
  if (!model.agents.has(plan.sender)) return refused('AGENT_UNKNOWN');
  const thread = plan.threadId === null ? undefined : model.threads.get(plan.threadId);
  if (thread !== undefined && !thread.members.includes(plan.sender)) return refused('FORBIDDEN');
  if (thread !== undefined && !thread.isOpen) return refused('THREAD_CLOSED');
  const urgent = plan.urgent || (thread?.isCritical ?? false);
  const isGroup = plan.target === 'all';
  if (plan.target !== null && !isGroup && !model.agents.has(plan.target)) {
    return keepDead(model, plan, { to: { id: plan.target, why: 'direct' }, code: 'TARGET_UNKNOWN' });
  }
  const ids = idsOf(model, plan, thread?.members ?? []);
  if (plan.target !== null && thread !== undefined && ids.some((id) => !thread.members.includes(id)))
    return refused('FORBIDDEN');
  if (isGroup && ids.length === 0)
    return keepDead(model, plan, { to: { id: 'all', why: 'group' }, code: 'GROUP_EMPTY' });
  const recipients = ids.map((id) => toRecipient(id, plan, urgent));
  const full = recipients.filter(({ id, isWaking }) => isWaking && model.filled(id) >= inboxMax).map(({ id }) => id);
  if (full.length > 0 && plan.target !== null && !isGroup) return refused('INBOX_FULL');
  const mentionable = plan.target === null ? (thread?.members ?? []) : ids;
  const mentions = plan.mentions.filter((id) => mentionable.includes(id));
  const message = record(model, plan, { urgent, mentions });
  for (const recipient of recipients) {
    const copy = addCopy(model, message, recipient, plan.wantsReceipt);
    if (full.includes(recipient.id)) bury(copy, 'INBOX_FULL');
  }
  const delivered = recipients.filter(({ id }) => !full.includes(id));
  const accepted = { seq: message.seq, recipients: delivered, undelivered: full, mentions };
  if (key !== null) model.keys.set(`${plan.sender} ${key.key}`, { ...key, accepted });
  return { kind: 'sent', accepted, isDuplicate: false };
}

const refused = (code: ErrorCode): Verdict => ({ kind: 'refused', code, isKept: false });

function idsOf(model: Inbox, { target, sender }: SendPlan, members: string[]): string[] {
  if (target === null) return members.filter((id) => id !== sender);
  return target === 'all' ? inOrderOfRegistration(model).filter((id) => id !== sender) : [target];
}

function inOrderOfRegistration({ agents }: Inbox): string[] {
  return [...agents].toSorted(([a, since], [b, later]) => since - later || (a < b ? -1 : 1)).map(([id]) => id);
}

function toRecipient(id: string, { target, action, mentions }: SendPlan, urgent: boolean): Recipient {
  if (target !== null) return { id, why: target === 'all' ? 'group' : 'direct', isWaking: true };
  if (mentions.includes(id)) return { id, why: 'mention', isWaking: true };
  return { id, why: 'thread', isWaking: urgent || action === 'interrupt' };
}

function record(
  model: Inbox,
  plan: SendPlan,
  { urgent, mentions }: Pick<MessageRecord, 'urgent' | 'mentions'>,
): MessageRecord {
  const { sessionId, threadId, sender, priority, action, target, at, expiresAt } = plan;
  const message: MessageRecord = {
    id: '',
    seq: model.lastSeq + 1,
    sessionId,
    threadId,
    sender,
    name: sender,
    role: 'ASSISTANT' as const,
    content: JSON.parse(plan.content),
    mentions,
    type: plan.type ?? (threadId === null ? null : 'STATUS'),
    isTypeGiven: plan.type !== null,
    priority,
    action,
    urgent,
    replyTo: null,
    target,
    context: null,
    payload: null,
    metadata: {},
    label: null,
    shareThinking: false,
    at,
    expiresAt,
    redaction: null,
  };
  model.messages.push(message);
  return message;
}

export function addCopy(model: Inbox, message: MessageRecord, to: Recipient, wantsReceipt: boolean): Copy {
  const rank = message.action === 'interrupt' ? 0 : { high: 1, normal: 2, low: 3 }[message.priority];
  const copy: Copy = {
    agent: to.id,
    message,
    why: to.why,
    wantsReceipt,
    lane: to.isWaking ? 0 : 1,
    rank,
    seq: message.seq,
    state: 'pending' as const,
    reason: null,
    attempts: 0,
    runOuts: 0,
    token: null,
    isManual: false,
    leaseUntil: 0,
    isExcused: false,
    leasedAt: null,
    endedAt: null,
  };
  model.copies.push(copy);
  return copy;
}

/** Dead from the start: the sender's own answer says so, no further word is sent. */
export function bury(copy: Copy, reason: 'INBOX_FULL' | 'TARGET_UNKNOWN' | 'GROUP_EMPTY'): void {
  Object.assign(copy, { state: 'dead_lettered', reason, endedAt: copy.message.at });
}

function keepDead(
  model: Inbox,
  plan: SendPlan,
  { to, code }: { to: Pick<Recipient, 'id' | 'why'>; code: 'TARGET_UNKNOWN' | 'GROUP_EMPTY' },
): Verdict {
  const message = record(model, plan, { urgent: plan.urgent, mentions: [] });
  bury(addCopy(model, message, { ...to, isWaking: true }, false), code);
  return { kind: 'refused', code, isKept: true };
}
