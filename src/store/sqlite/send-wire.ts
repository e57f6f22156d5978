// A send on its way to the writer thread and back. Copying between threads costs by the field, and most fields of most
// sends have their usual value: those stay behind and are filled in on the other side. Written out field by field,
// because this runs for every send and a loop over names would cost more than the copying it saves.
import type { Appended, SendPlan } from '../../ports/store.js';

type Always = 'sessionId' | 'sender' | 'content' | 'at';

export type PackedSend = Pick<SendPlan, Always> & Partial<Omit<SendPlan, Always>>;
export type PackedAppended = Pick<Appended, 'seq' | 'id' | 'sender' | 'recipients'> & Partial<Appended>;

export function packSend(plan: SendPlan): PackedSend {
  const { sessionId, sender, content, at } = plan;
  const packed: PackedSend = { sessionId, sender, content, at };
  if (plan.isAdmin) packed.isAdmin = true;
  if (plan.threadId !== null) packed.threadId = plan.threadId;
  if (plan.target !== null) packed.target = plan.target;
  if (plan.role !== null) packed.role = plan.role;
  if (plan.type !== null) packed.type = plan.type;
  if (plan.priority !== 'normal') packed.priority = plan.priority;
  if (plan.action !== 'queue') packed.action = plan.action;
  if (plan.urgent) packed.urgent = true;
  if (plan.mentions.length > 0) packed.mentions = plan.mentions;
  if (plan.mentionsInText.length > 0) packed.mentionsInText = plan.mentionsInText;
  if (plan.replyTo !== null) packed.replyTo = plan.replyTo;
  if (plan.context !== null) packed.context = plan.context;
  if (plan.payload !== null) packed.payload = plan.payload;
  if (!isEmpty(plan.metadata)) packed.metadata = plan.metadata;
  if (plan.label !== null) packed.label = plan.label;
  if (plan.shareThinking) packed.shareThinking = true;
  if (plan.expiresAt !== null) packed.expiresAt = plan.expiresAt;
  if (plan.key !== null) packed.key = plan.key;
  return packed;
}

export function unpackSend(packed: PackedSend): SendPlan {
  return {
    sessionId: packed.sessionId,
    sender: packed.sender,
    content: packed.content,
    at: packed.at,
    isAdmin: packed.isAdmin ?? false,
    threadId: packed.threadId ?? null,
    target: packed.target ?? null,
    role: packed.role ?? null,
    type: packed.type ?? null,
    priority: packed.priority ?? 'normal',
    action: packed.action ?? 'queue',
    urgent: packed.urgent ?? false,
    mentions: packed.mentions ?? [],
    mentionsInText: packed.mentionsInText ?? [],
    replyTo: packed.replyTo ?? null,
    context: packed.context ?? null,
    payload: packed.payload ?? null,
    metadata: packed.metadata ?? {},
    label: packed.label ?? null,
    shareThinking: packed.shareThinking ?? false,
    expiresAt: packed.expiresAt ?? null,
    key: packed.key ?? null,
  };
}

export function packAppended(appended: Appended): PackedAppended {
  const { seq, id, sender, recipients } = appended;
  const packed: PackedAppended = { seq, id, sender, recipients };
  if (appended.threadId !== null) packed.threadId = appended.threadId;
  if (appended.mentions.length > 0) packed.mentions = appended.mentions;
  if (appended.droppedMentions.length > 0) packed.droppedMentions = appended.droppedMentions;
  if (appended.isInterrupt) packed.isInterrupt = true;
  if (appended.duplicate) packed.duplicate = true;
  return packed;
}

export function unpackAppended(packed: PackedAppended): Appended {
  return {
    seq: packed.seq,
    id: packed.id,
    sender: packed.sender,
    recipients: packed.recipients,
    threadId: packed.threadId ?? null,
    mentions: packed.mentions ?? [],
    droppedMentions: packed.droppedMentions ?? [],
    isInterrupt: packed.isInterrupt ?? false,
    duplicate: packed.duplicate ?? false,
  };
}

function isEmpty(fields: Record<string, unknown>): boolean {
  for (const _field in fields) return false;
  return true;
}
