// A thread as callers see it.
import { z } from 'zod';
import { message } from './message.js';

export const threadStatuses = ['open', 'closed'] as const;
export type ThreadStatus = (typeof threadStatuses)[number];

/** A critical thread in which the opener waits for the reader's answer. */
export const awaitedAnswer = z.object({ threadId: z.string(), by: z.string(), until: z.string() });
export type AwaitedAnswer = z.infer<typeof awaitedAnswer>;

export const threadView = z.looseObject({
  threadId: z.string(),
  title: z.string(),
  status: z.enum(threadStatuses),
  creator: z.string(),
  participants: z.array(z.string()),
  /** How many participants were left out; only in answers to a model. */
  moreParticipants: z.number().optional(),
  critical: z.boolean().optional(),
  private: z.boolean().optional(),
  summary: z.string().optional(),
  unknownParticipants: z.array(z.string()).optional(),
  messages: z.array(message).optional(),
});

export type ThreadView = z.infer<typeof threadView>;

/** The header of a thread in the XML-like text, rendered once per thread. */
export const threadHeader = z.object({
  threadId: z.string(),
  title: z.string(),
  status: z.enum(threadStatuses),
  participants: z.array(z.object({ id: z.string(), name: z.string() })),
  moreParticipants: z.number(),
});

export type ThreadHeader = z.infer<typeof threadHeader>;
