// The packed form of a send for the writer thread, and of its result. Copying between threads costs per field, most of all
// for field names, so common fields are sent as a list, and the others as an object with only those that are not default.
import type { Why } from '../../../contract/message.js';
import type { Appended, AppendResult, SendPlan } from '../../../ports/store.js';

const listed = ['sessionId', 'sender', 'isAdmin', 'content', 'at', 'threadId', 'target', 'type', 'key'] as const;

type Rare = Omit<SendPlan, (typeof listed)[number]>;

const defaults: Rare = {
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

// Safe: Object.keys does not keep the type of the names.
const rareNames = Object.keys(defaults) as (keyof Rare)[];

type ValuesOf<Names extends readonly (keyof SendPlan)[]> = { [At in keyof Names]: SendPlan[Names[At]] };

/** The listed fields in order, then the others that differ from their defaults. */
export type PackedSend = readonly [...ValuesOf<typeof listed>, Partial<Rare> | null];

export function packSend(plan: SendPlan): PackedSend {
  const { sessionId, sender, isAdmin, content, at, threadId, target, type, key } = plan;
  return [sessionId, sender, isAdmin, content, at, threadId, target, type, key, rareFieldsOf(plan)];
}

function rareFieldsOf(plan: SendPlan): Partial<Rare> | null {
  let rare: Record<string, unknown> | null = null;
  for (const name of rareNames) {
    if (isDefault(plan[name], defaults[name])) continue;
    rare ??= {};
    rare[name] = plan[name];
  }
  return rare;
}

/** Equal values are default; so is an empty list or object where the default is one. */
function isDefault(value: unknown, byDefault: unknown): boolean {
  if (value === byDefault) return true;
  if (typeof byDefault !== 'object' || byDefault === null || typeof value !== 'object') return false;
  for (const _field in value) return false;
  return true;
}

/** Buffers to transfer to the writer thread instead of copying them. */
export function transfersOf({ attachments }: SendPlan): ArrayBuffer[] | undefined {
  return attachments?.map(({ bytes }) => bytes.buffer);
}

/** Written out, because V8 is slow to read objects made by a spread. */
export function unpackSend(packed: PackedSend): SendPlan {
  const [sessionId, sender, isAdmin, content, at, threadId, target, type, key, fields] = packed;
  const rare = fields === null ? defaults : { ...defaults, ...fields };
  return {
    sessionId,
    sender,
    isAdmin,
    content,
    at,
    threadId,
    target,
    type,
    key,
    attachments: rare.attachments,
    role: rare.role,
    priority: rare.priority,
    action: rare.action,
    urgent: rare.urgent,
    mentions: rare.mentions,
    mentionsInText: rare.mentionsInText,
    replyTo: rare.replyTo,
    context: rare.context,
    payload: rare.payload,
    metadata: rare.metadata,
    label: rare.label,
    shareThinking: rare.shareThinking,
    wantsReceipt: rare.wantsReceipt,
    notice: rare.notice,
    expiresAt: rare.expiresAt,
  };
}

type PackedRecipients = (string | boolean)[];
type RareOutcome = Pick<Appended, 'undelivered' | 'mentions' | 'droppedMentions' | 'isInterrupt' | 'duplicate'>;

/** Also the stored result of an idempotency key: a fifth of the length of the object. */
export type PackedAppended = readonly [
  seq: number,
  id: string,
  threadId: string | null,
  recipients: PackedRecipients,
  rare: RareOutcome | null,
];

export type PackedResult =
  readonly [appended: PackedAppended, senderUnread: number] | Exclude<AppendResult, { appended: Appended }>;

const usualOutcome: RareOutcome = {
  undelivered: [],
  mentions: [],
  droppedMentions: [],
  isInterrupt: false,
  duplicate: false,
};

const outcomeNames = Object.keys(usualOutcome) as (keyof RareOutcome)[];

export function packAppended(appended: Appended): PackedAppended {
  const { seq, id, threadId, recipients, undelivered, mentions, droppedMentions, isInterrupt, duplicate } = appended;
  const isUsual = outcomeNames.every((name) => isDefault(appended[name], usualOutcome[name]));
  const packed: PackedRecipients = [];
  for (const recipient of recipients) packed.push(recipient.id, recipient.why, recipient.isWaking);
  const rare = isUsual ? null : { undelivered, mentions, droppedMentions, isInterrupt, duplicate };
  return [seq, id, threadId, packed, rare];
}

export function unpackAppended([seq, id, threadId, flat, rare]: PackedAppended, sender: string): Appended {
  const { undelivered, mentions, droppedMentions, isInterrupt, duplicate } = rare ?? usualOutcome;
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
