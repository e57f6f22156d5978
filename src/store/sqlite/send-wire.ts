// A send on its way to the writer thread and back. Copying a plan between threads costs by the field, and most fields of
// most sends have their usual value: those stay behind and are filled in on the other side.
import type { Appended, SendPlan } from '../../ports/store.js';

const usualPlan = {
  isAdmin: false,
  threadId: null,
  target: null,
  role: null,
  type: null,
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
  expiresAt: null,
  key: null,
} as const satisfies Partial<SendPlan>;

const usualAppended = {
  threadId: null,
  mentions: [],
  droppedMentions: [],
  isInterrupt: false,
  duplicate: false,
} as const satisfies Partial<Appended>;

export type PackedSend = Partial<SendPlan> & Omit<SendPlan, keyof typeof usualPlan>;
export type PackedAppended = Partial<Appended> & Omit<Appended, keyof typeof usualAppended>;

export function packSend(plan: SendPlan): PackedSend {
  return withoutUsual(plan, usualPlan) as PackedSend;
}

export function unpackSend(packed: PackedSend): SendPlan {
  return { ...usualPlan, mentions: [], mentionsInText: [], ...packed };
}

export function packAppended(appended: Appended): PackedAppended {
  return withoutUsual(appended, usualAppended) as PackedAppended;
}

export function unpackAppended(packed: PackedAppended): Appended {
  return { ...usualAppended, mentions: [], droppedMentions: [], ...packed };
}

function withoutUsual(value: object, usual: Record<string, unknown>): object {
  const packed: Record<string, unknown> = {};
  for (const [field, given] of Object.entries(value)) {
    if (!isUsual(given, usual[field])) packed[field] = given;
  }
  return packed;
}

function isUsual(given: unknown, usual: unknown): boolean {
  if (given === usual) return usual !== undefined;
  if (Array.isArray(usual)) return Array.isArray(given) && given.length === 0;
  return typeof usual === 'object' && usual !== null && isEmptyObject(given);
}

function isEmptyObject(given: unknown): boolean {
  return typeof given === 'object' && given !== null && Object.keys(given).length === 0;
}
