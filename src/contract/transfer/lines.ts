// The lines of an exported session: one schema per kind. What is null is left out of a line.
import { z } from 'zod';
import { agentKinds } from '../agent.js';
import { contentBlock } from '../content-block.js';
import { idPattern, threadIdPattern } from '../ids.js';
import { actions, deadReasons, messageTypes, priorities, reasons, roles } from '../message.js';
import { noticeKinds, notifyPrefs } from '../notify.js';
import { threadStatuses } from '../thread.js';

/** Raised when a line gets a field, or the file a kind, that earlier releases do not know. */
export const exportVersion = 1;

/** As long as an id of a message allows. */
const seqMax = 99_999_999_999;
const seq = z.int().min(1).max(seqMax);
const time = z.int().min(0);
const count = z.int().min(0).max(0x7fff_ffff);
const id = z.string().regex(idPattern, 'must be an id');
const threadId = z.string().regex(threadIdPattern, 'must be the id of a thread');
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');
const text = z.string().refine((given) => !/[\0\p{Surrogate}]/u.test(given), {
  error: 'must not contain a NUL character or half of a surrogate pair',
});
const lane = z.int().min(0).max(1);
const anyObject = z.record(z.string(), z.unknown());

export const header = z.looseObject({
  coterie: z.literal('export'),
  version: z.int(),
  release: z.string(),
  sessionId: id,
  exportedAt: z.string(),
  lastSeq: z.int().min(0).max(seqMax),
});

const extras = z.strictObject({
  context: z.string().optional(),
  payload: anyObject.optional(),
  metadata: anyObject.optional(),
  label: z.string().optional(),
  isStatus: z.literal(true).optional(),
  shareThinking: z.literal(true).optional(),
  receipt: z.literal('read').optional(),
  notice: z.strictObject({ kind: z.enum([...noticeKinds, 'digest']), by: z.string() }).optional(),
  /** What it said was removed. */
  redaction: z.strictObject({ by: z.string(), at: time, reason: z.string().nullable() }).optional(),
});

const copy = { kind: z.literal('copy'), seq, agentId: id, lane, why: z.enum(reasons), attempts: count };

const pendingCopy = z.strictObject({
  ...copy,
  state: z.literal('pending'),
  ranOut: count,
  /** When it was last handed out. */
  leasedAt: time.optional(),
  expiresAt: time.optional(),
  wantsReceipt: z.int().min(1).max(2).optional(),
  notice: z.enum([...noticeKinds, 'digest']).optional(),
  digest: seq.optional(),
});

const endedCopy = z.strictObject({
  ...copy,
  state: z.enum(['read', 'expired', 'dead_lettered']),
  at: time,
  deliveredAt: time.optional(),
  reason: z.enum(deadReasons).optional(),
});

const sent = z.strictObject({
  threadId: text.nullable(),
  recipients: z.array(z.strictObject({ id, why: z.enum(reasons), isWaking: z.boolean() })),
  undelivered: z.array(id),
  mentions: z.array(z.string()),
  droppedMentions: z.array(z.string()),
  isInterrupt: z.boolean(),
});

/** The first answer to a call with an idempotency key. */
const key = { kind: z.literal('idempotencyKey'), sender: id, key: z.string(), hash: text, expiresAt: time };

/** Kinds whose lines are read by themselves; the others come with their messages. */
export const stateKinds = [
  'agent',
  'group',
  'thread',
  'member',
  'criticalThread',
  'criticalAnswer',
  'deadLetter',
  'notifyPrefs',
  'notifyTemplate',
  'idempotencyKey',
] as const;

export type StateKind = (typeof stateKinds)[number];

/** In this order they are in a file. */
export const lineKinds = ['session', 'attachment', 'message', 'copy', ...stateKinds] as const;

export type LineKind = (typeof lineKinds)[number];

const schemas = {
  session: z.strictObject({
    kind: z.literal('session'),
    salt: z.int().min(0).max(0x7fff_ffff),
    createdAt: time,
    closedAt: time.optional(),
    closeReason: text.optional(),
    expiresAt: time.optional(),
    application: text.optional(),
    annotations: anyObject,
  }),
  attachment: z.strictObject({ kind: z.literal('attachment'), hash, mediaType: text, data: z.base64() }),
  message: z.strictObject({
    kind: z.literal('message'),
    seq,
    threadId: text.optional(),
    sender: id,
    name: text.optional(),
    at: time,
    rank: z.int().min(0).max(3),
    role: z.enum(roles),
    type: z.enum(messageTypes).optional(),
    priority: z.enum(priorities),
    action: z.enum(actions),
    urgent: z.boolean(),
    replyTo: seq.optional(),
    hops: count.optional(),
    target: text.optional(),
    content: z.array(contentBlock),
    mentions: z.array(id).optional(),
    extras: extras.optional(),
    expiresAt: time.optional(),
    recipients: z.array(id),
    /** The attachments it uses. */
    attachments: z.array(hash).optional(),
  }),
  copy: z.union([pendingCopy, endedCopy]),
  agent: z.strictObject({
    kind: z.literal('agent'),
    id,
    name: text,
    description: text,
    capabilities: z.array(z.string()),
    /** Not `kind`, which is that of the line. */
    agentKind: z.enum(agentKinds).exclude(['system']),
    registeredAt: time,
    lastSeenAt: time,
  }),
  group: z.strictObject({ kind: z.literal('group'), name: id, members: z.array(id) }),
  thread: z.strictObject({
    kind: z.literal('thread'),
    id: threadId,
    title: text,
    status: z.enum(threadStatuses),
    creator: id,
    isCritical: z.boolean(),
    isPrivate: z.boolean(),
    summary: text.optional(),
    createdAt: time,
  }),
  member: z.strictObject({
    kind: z.literal('member'),
    threadId,
    agentId: id,
    place: count,
    fromSeq: z.int().min(0).max(seqMax),
  }),
  criticalThread: z.strictObject({
    kind: z.literal('criticalThread'),
    threadId,
    opener: id,
    opening: seq,
    wanted: count,
    required: z.array(id),
    eligible: z.array(id),
    deadline: time,
    allReadAt: time.optional(),
  }),
  criticalAnswer: z.strictObject({ kind: z.literal('criticalAnswer'), threadId, agentId: id, seq, at: time }),
  deadLetter: z.strictObject({
    kind: z.literal('deadLetter'),
    seq,
    recipient: id,
    reason: z.enum(deadReasons),
    at: time,
  }),
  notifyPrefs: z.strictObject({ kind: z.literal('notifyPrefs'), agentId: id, prefs: notifyPrefs.strict() }),
  notifyTemplate: z.strictObject({ kind: z.literal('notifyTemplate'), name: z.enum(noticeKinds), text }),
  idempotencyKey: z.union([
    z.strictObject({ ...key, seq, result: sent }),
    /** Of an operation that is no send. */
    z.strictObject({ ...key, result: anyObject }),
  ]),
} satisfies Record<LineKind, z.ZodType>;

export type Line<Kind extends LineKind = LineKind> = z.infer<(typeof schemas)[Kind]>;

export const end = z.strictObject({
  kind: z.literal('end'),
  lines: z.int(),
  counts: z.record(z.string(), z.int()),
  sha256: z.string(),
});

export function schemaOf(kind: string): z.ZodType<Line> | undefined {
  const known = lineKinds.find((each) => each === kind);
  return known === undefined ? undefined : schemas[known];
}
