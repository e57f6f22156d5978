// Questions and alerts as callers see them, and the fields that their operations share.
import { z } from 'zod';
import { contextText, filledText, list, oneOf } from '../fields.js';
import { limited } from '../input/schema-limits.js';
import { participantId, threadRef } from '../ids.js';
import { limits } from '../limits.js';
import { priorities } from '../message.js';
import {
  alertTypes,
  encryptionLevels,
  envelope,
  publicKeys,
  questionStatuses,
  signalKinds,
  type SignalContent,
} from './signal.js';

/** `q-` of a question or a permission prompt, `a-` of an alert. */
export const signalIdPattern = /^[qa]-[0-9a-z]{6,40}$/;
export const questionRef = z.string().min(1).max(64);

const ttlRange = {
  error: () => `must be 0 for no end, or a number, ${limits.ttlSecondsMin} to ${limits.ttlSecondsMax} seconds`,
};

/** Seconds until it expires; 0 for never. */
const questionTtl = limited(
  z
    .number(ttlRange)
    .refine((given) => given === 0 || (given >= limits.ttlSecondsMin && given <= limits.ttlSecondsMax), ttlRange),
  { maximum: 'ttlSecondsMax' },
);

/** How a question or an alert goes to people. */
export const signalFields = {
  priority: oneOf(priorities).default('normal'),
  projectId: filledText('nameChars').optional(),
  to: list(participantId, 'questionPeople').optional().describe('People; default: all'),
};

/** Where a question belongs, and how it ends. */
export const questionFields = {
  ...signalFields,
  threadId: threadRef.optional(),
  inReplyTo: questionRef.optional().describe('Earlier questionId'),
  ttl: questionTtl.optional().describe('Seconds; default 7 days, 0 never'),
  idempotencyKey: filledText('idempotencyKeyChars').optional(),
};

export const asking = {
  question: filledText('questionChars'),
  options: list(filledText('optionChars'), 'questionOptions').default([]),
  context: contextText.optional(),
};

/** A text that a person reads. */
const toolCall = z.object({ tool: z.string(), input: z.string(), cwd: z.string().nullable() });

/** Fields of questions and alerts. */
const signalView = {
  id: z.string(),
  from: z.string(),
  fromName: z.string(),
  to: z.array(z.string()),
  priority: z.enum(priorities),
  projectId: z.string().optional(),
  encryption: z.enum(encryptionLevels),
  context: z.string().optional(),
  /** With the wrapped key of the calling device alone; whole for who sealed it. */
  sealed: envelope.optional(),
  /** Of who sealed it. */
  senderKeys: publicKeys.optional(),
  /** Key ids of the person's devices that cannot read it yet. */
  missingWraps: z.array(z.string()).optional(),
};

export const questionView = z.looseObject({
  ...signalView,
  kind: z.enum(signalKinds),
  status: z.enum(questionStatuses),
  threadId: z.string().optional(),
  inReplyTo: z.string().optional(),
  askedAt: z.string(),
  expiresAt: z.string().optional(),
  optionCount: z.number(),
  callHash: z.string().optional(),
  question: z.string().optional(),
  options: z.array(z.string()).optional(),
  toolCall: toolCall.optional(),
  /** What silence means, where the hub can read it. */
  defaultAnswer: z.string().optional(),
  answeredAt: z.string().optional(),
  answeredBy: z.string().optional(),
  /** The device's name. */
  answeredOn: z.string().optional(),
  response: z.string().optional(),
  /** From 1. */
  option: z.number().optional(),
  /** Of a declined or cancelled one. */
  reason: z.string().optional(),
  isDefault: z.boolean().optional(),
  sealedAnswer: envelope.optional(),
});
export type QuestionView = z.output<typeof questionView>;

export const alertView = z.looseObject({
  ...signalView,
  alertType: z.enum(alertTypes),
  sentAt: z.string(),
  /** The sender's own session. */
  label: z.string().optional(),
  message: z.string().optional(),
});
export type AlertView = z.output<typeof alertView>;

/** The result of a question that was stored. */
export const asked = z.looseObject({
  success: z.boolean(),
  questionId: z.string(),
  message: z.string(),
  encryption: z.enum(encryptionLevels),
  /** Paired devices that can read it. */
  devices: z.number(),
  expiresAt: z.string().optional(),
  duplicate: z.boolean().optional(),
  warnings: z.array(z.string()).optional(),
});

/** The state of a question, and its answer. */
export const questionResponse = z.looseObject({
  success: z.boolean(),
  questionId: z.string(),
  answered: z.boolean(),
  status: z.enum(questionStatuses),
  response: z.string().optional(),
  /** From 1. */
  option: z.number().optional(),
  answeredAt: z.string().optional(),
  by: z.string().optional(),
  /** The device's name. */
  on: z.string().optional(),
  /** The answer that was asked for in case no one answers. */
  isDefault: z.boolean().optional(),
  /** Of a declined or cancelled question. */
  reason: z.string().optional(),
  /** The answer, where only the caller's program can open it. */
  sealed: envelope.optional(),
  readable: z.boolean().optional(),
  message: z.string().optional(),
  expiresAt: z.string().optional(),
  waitedMs: z.number().optional(),
  clampedToMs: z.number().optional(),
});
export type QuestionResponse = z.output<typeof questionResponse>;

/** The options as a person can name them. */
export function numbered(options: SignalContent['options']): string {
  return options.map((option, index) => `${index + 1} ${option}`).join(', ');
}
