// An agent as callers see it.
import { z } from 'zod';
import { agentWake } from './wake.js';

export const agentKinds = ['agent', 'human', 'system'] as const;
export type AgentKind = (typeof agentKinds)[number];

export const presences = ['waiting', 'active', 'idle', 'offline'] as const;
export type Presence = (typeof presences)[number];

export const agentView = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  presence: z.enum(presences),
  kind: z.enum(agentKinds).optional(),
  capabilities: z.array(z.string()).optional(),
  /** Programs that are connected under this name; left out when there is none. */
  connections: z.number().optional(),
  lastSeen: z.string().optional(),
  unread: z.number().optional(),
  /** When its oldest unread message was sent. */
  oldestUnread: z.string().optional(),
  /** Left out for people, and for an agent that is there. */
  wake: agentWake.optional(),
});

export type AgentView = z.infer<typeof agentView>;
