// A message as callers see it. Null and default-valued fields are left out of results.
import { z } from 'zod';
import { contentBlock } from './content-block.js';

export const messageTypes = ['PING', 'PONG', 'HANDSHAKE', 'DIRECTIVE', 'STATUS', 'ACK', 'QUERY', 'RESULT'] as const;
export const priorities = ['low', 'normal', 'high'] as const;
export const actions = ['interrupt', 'queue'] as const;
export const roles = ['SYSTEM', 'USER', 'ASSISTANT', 'TOOL'] as const;
/** Why a reader got its copy. All but `thread` wake a wait for mentions. */
export const reasons = ['mention', 'reply', 'direct', 'group', 'system', 'thread'] as const;
export const copyStates = ['pending', 'delivered', 'read', 'expired', 'dead_lettered'] as const;
export const deadReasons = [
  'TARGET_UNKNOWN',
  'GROUP_EMPTY',
  'EXPIRED',
  'ATTEMPTS_EXCEEDED',
  'INBOX_FULL',
  'RECIPIENT_REMOVED',
] as const;

export type MessageType = (typeof messageTypes)[number];
export type Priority = (typeof priorities)[number];
export type Action = (typeof actions)[number];
export type Role = (typeof roles)[number];
export type Why = (typeof reasons)[number];
export type CopyState = (typeof copyStates)[number];
export type DeadReason = (typeof deadReasons)[number];

export const message = z.looseObject({
  id: z.string(),
  seq: z.number(),
  sessionId: z.string().optional(),
  threadId: z.string().optional(),
  sender: z.string(),
  name: z.string().optional(),
  role: z.enum(roles).optional(),
  content: z.array(contentBlock),
  mentions: z.array(z.string()).optional(),
  type: z.enum(messageTypes).optional(),
  priority: z.enum(priorities).optional(),
  action: z.enum(actions).optional(),
  urgent: z.boolean().optional(),
  replyTo: z.string().optional(),
  context: z.string().optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  /** The `sessionId` given to send_message: a running program's own name for its run. */
  label: z.string().optional(),
  timestamp: z.string(),
  expiresAt: z.string().optional(),
  why: z.enum(reasons).optional(),
  redelivered: z.boolean().optional(),
  /** An administrator erased what it said. */
  redacted: z.object({ by: z.string(), at: z.string(), reason: z.string().optional() }).optional(),
  /** Set on a truncated message: characters `from` to `to` of `of`, and the call that reads the rest. */
  cut: z.object({ from: z.number(), to: z.number(), of: z.number(), next: z.string().optional() }).optional(),
});

export type Message = z.infer<typeof message>;
