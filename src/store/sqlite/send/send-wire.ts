// A send on its way to the writer thread and back. Copying between threads costs by the field and most by its name, so
// what nearly every send has travels as a list, and the rest as an object only when there is something unusual in it.
import type { Why } from '../../../contract/message.js';
import type { Appended, AppendResult, SendPlan } from '../../../ports/store.js';

type Everyday = 'sessionId' | 'sender' | 'isAdmin' | 'content' | 'at' | 'threadId' | 'target' | 'type' | 'key';
type Unusual = Omit<SendPlan, Everyday>;

export type PackedSend = readonly [
  sessionId: string,
  sender: string,
  isAdmin: boolean,
  content: string,
  at: number,
  threadId: string | null,
  target: string | null,
  type: SendPlan['type'],
  key: readonly [key: string, hash: string, at: number, expiresAt: number] | null,
  unusual: Unusual | null,
];

const usual: Unusual = {
  attachments: null,
  role: null,
  priority: 'normal',
  action: 'queue',
  urgent: false,
  mentions: [],
  mentionsInText: [],
  replyTo: null,
  context: null,
  payload: null,
  metadata: {},
  label: null,
  shareThinking: false,
  wantsReceipt: false,
  notice: null,
  expiresAt: null,
};

export function packSend(plan: SendPlan): PackedSend {
  const { sessionId, sender, isAdmin, content, at, threadId, target, type, key } = plan;
  const packedKey = key === null ? null : ([key.key, key.hash, key.at, key.expiresAt] as const);
  const unusual = isUsual(plan) ? null : unusualOf(plan);
  return [sessionId, sender, isAdmin, content, at, threadId, target, type, packedKey, unusual];
}

/** Bytes move to the writer thread instead of being copied. */
export function transfersOf({ attachments }: SendPlan): ArrayBuffer[] | undefined {
  return attachments?.map(({ bytes }) => bytes.buffer);
}

/** Written out, as is what follows: a spread makes an object that is slow to read ever after. */
export function unpackSend(packed: PackedSend): SendPlan {
  const key = packed[8];
  const rest = packed[9] ?? usual;
  return {
    sessionId: packed[0],
    sender: packed[1],
    isAdmin: packed[2],
    content: packed[3],
    at: packed[4],
    threadId: packed[5],
    target: packed[6],
    type: packed[7],
    key: key === null ? null : { key: key[0], hash: key[1], at: key[2], expiresAt: key[3] },
    attachments: rest.attachments,
    role: rest.role,
    priority: rest.priority,
    action: rest.action,
    urgent: rest.urgent,
    mentions: rest.mentions,
    mentionsInText: rest.mentionsInText,
    replyTo: rest.replyTo,
    context: rest.context,
    payload: rest.payload,
    metadata: rest.metadata,
    label: rest.label,
    shareThinking: rest.shareThinking,
    wantsReceipt: rest.wantsReceipt,
    notice: rest.notice,
    expiresAt: rest.expiresAt,
  };
}

function unusualOf(plan: SendPlan): Unusual {
  return {
    attachments: plan.attachments,
    role: plan.role,
    priority: plan.priority,
    action: plan.action,
    urgent: plan.urgent,
    mentions: plan.mentions,
    mentionsInText: plan.mentionsInText,
    replyTo: plan.replyTo,
    context: plan.context,
    payload: plan.payload,
    metadata: plan.metadata,
    label: plan.label,
    shareThinking: plan.shareThinking,
    wantsReceipt: plan.wantsReceipt,
    notice: plan.notice,
    expiresAt: plan.expiresAt,
  };
}

type PackedRecipients = (string | boolean)[];
type RareOutcome = Pick<Appended, 'undelivered' | 'mentions' | 'droppedMentions' | 'isInterrupt' | 'duplicate'>;

/** Also how a sender's key keeps its first answer: a fifth of the object's length. */
export type PackedAppended = readonly [
  seq: number,
  id: string,
  threadId: string | null,
  recipients: PackedRecipients,
  rare: RareOutcome | null,
];

export type PackedResult =
  readonly [appended: PackedAppended, senderUnread: number] | Exclude<AppendResult, { appended: Appended }>;

const everydayOutcome: RareOutcome = {
  undelivered: [],
  mentions: [],
  droppedMentions: [],
  isInterrupt: false,
  duplicate: false,
};

export function packAppended(appended: Appended): PackedAppended {
  const { seq, id, threadId, recipients, undelivered, mentions, droppedMentions, isInterrupt, duplicate } = appended;
  const isAll = undelivered.length === 0;
  const isEveryday = isAll && mentions.length === 0 && droppedMentions.length === 0 && !isInterrupt && !duplicate;
  const packed: PackedRecipients = [];
  for (const recipient of recipients) packed.push(recipient.id, recipient.why, recipient.isWaking);
  const rare = isEveryday ? null : { undelivered, mentions, droppedMentions, isInterrupt, duplicate };
  return [seq, id, threadId, packed, rare];
}

export function unpackAppended([seq, id, threadId, flat, rare]: PackedAppended, sender: string): Appended {
  const { undelivered, mentions, droppedMentions, isInterrupt, duplicate } = rare ?? everydayOutcome;
  const recipients: Appended['recipients'] = [];
  for (let index = 0; index < flat.length; index += 3) {
    // packAppended wrote them in this order.
    recipients.push({
      id: flat[index] as string,
      why: flat[index + 1] as Why,
      isWaking: flat[index + 2] as boolean,
    });
  }
  return { seq, id, sender, threadId, recipients, undelivered, mentions, droppedMentions, isInterrupt, duplicate };
}

export function packResult(result: AppendResult): PackedResult {
  return 'refused' in result ? result : [packAppended(result.appended), result.senderUnread];
}

export function unpackResult(packed: PackedResult, sender: string): AppendResult {
  if ('refused' in packed) return packed;
  return { appended: unpackAppended(packed[0], sender), senderUnread: packed[1] };
}

/** Field by field: this runs for every send. */
function isUsual(plan: Unusual): boolean {
  return (
    plan.attachments === null &&
    plan.role === null &&
    plan.priority === 'normal' &&
    plan.action === 'queue' &&
    !plan.urgent &&
    plan.mentions.length === 0 &&
    plan.mentionsInText.length === 0 &&
    plan.replyTo === null &&
    plan.context === null &&
    plan.payload === null &&
    isEmpty(plan.metadata) &&
    plan.label === null &&
    !plan.shareThinking &&
    !plan.wantsReceipt &&
    plan.expiresAt === null
  );
}

function isEmpty(fields: Record<string, unknown>): boolean {
  for (const _field in fields) return false;
  return true;
}
