// A session as its administrator sees it. Null fields are left out of results.
import { z } from 'zod';
import { idForm, idPattern } from './ids.js';

const sessionStatuses = ['open', 'closed'] as const;

export const sessionRef = z.string().regex(idPattern, `must be ${idForm}`);

export const sessionView = z.looseObject({
  sessionId: z.string(),
  status: z.enum(sessionStatuses),
  createdAt: z.string(),
  application: z.string().optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  /** Then it closes itself. */
  expiresAt: z.string().optional(),
  closedAt: z.string().optional(),
  closeReason: z.string().optional(),
});

export type SessionView = z.infer<typeof sessionView>;

/** With counts; 10,000 agents or threads may be more. */
export const listedSession = sessionView.extend({ agents: z.number(), threads: z.number(), lastSeq: z.number() });

export type ListedSessionView = z.infer<typeof listedSession>;
