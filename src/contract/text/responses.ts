// The result of waiting for responses, with or without creating the thread, and its text.
import { z } from 'zod';
import { message } from '../message.js';
import { readOnLines, renderXml } from './render-messages.js';
import { shortened } from './shortened.js';
import { inLine } from './in-line.js';

/** Why an incomplete wait ended before its timeout. */
export const endReasons = ['closed', 'impossible', 'stopping'] as const;
export type EndReason = (typeof endReasons)[number];

export const responsesResult = z.looseObject({
  threadId: z.string(),
  responses: z.array(message),
  complete: z.boolean(),
  missing: z.array(z.string()),
  wanted: z.number(),
  required: z.array(z.string()).optional(),
  reason: z.enum(endReasons).optional(),
  timedOut: z.boolean(),
  waitedMs: z.number(),
  clampedToMs: z.number().optional(),
  cursor: z.string().nullable(),
  /** How many entries of long lists were left out; such responses stay unread in the inbox. */
  leftOut: z.record(z.string(), z.number()).optional(),
});

type ResponsesResult = z.output<typeof responsesResult>;

export function renderResponses(result: ResponsesResult): string {
  const { responses, missing, wanted, required, leftOut } = result;
  const needed = Math.max(wanted, required?.length ?? 0);
  return [
    `${responses.length + (leftOut?.['responses'] ?? 0)} of ${needed} responses${result.complete ? '' : ', not complete'}`,
    ...(responses.length === 0 ? [] : [renderXml(responses, []), ...readOnLines(responses)]),
    ...(missing.length === 0 ? [] : [`Not answered: ${missing.map(inLine).join(', ')}`]),
  ].join('\n');
}

export function stepsAfterResponses({ complete, reason, clampedToMs, threadId }: ResponsesResult): string[] {
  if (complete) return [];
  if (reason === 'closed') return ['The thread was closed.'];
  if (reason === 'impossible') return ['Too few of those who may answer are left in the thread.'];
  return [`To go on waiting call wait_for_responses with threadId ${threadId}${shortened(clampedToMs)}.`];
}
