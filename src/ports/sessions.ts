// Sessions as the store keeps them, and the plans of their changes.
import type { AuditEntry } from './audit.js';

export interface Closure {
  at: number;
  reason: string | null;
}

export interface SessionRecord {
  id: string;
  createdAt: number;
  application: string | null;
  annotations: Record<string, unknown>;
  /** Then it closes itself. */
  expiresAt: number | null;
  /** The session of the key that created it; null when it was created by use, in open mode or by the command line. */
  createdBySession: string | null;
  closure: Closure | null;
}

export interface ListedSession extends SessionRecord {
  /** Counted up to a bound. */
  agents: number;
  threads: number;
  lastSeq: number;
}

export interface CreateSessionPlan {
  sessionId: string;
  application: string | null;
  annotations: Record<string, unknown>;
  expiresAt: number | null;
  createdBySession: string | null;
  at: number;
  audit: AuditEntry;
}

export interface CloseSessionPlan {
  sessionId: string;
  /** The session of the key that closes it; null for open mode and for the hub itself. */
  bySession: string | null;
  reason: string | null;
  at: number;
  audit: AuditEntry;
}

export interface SessionClosed {
  session: SessionRecord;
  closedThreads: number;
  /** It was closed before; nothing changed. */
  wasClosed: boolean;
}

export interface RedactPlan {
  sessionId: string;
  messageId: string;
  by: string;
  reason: string | null;
  at: number;
  audit: AuditEntry;
}

/** One step of pruning a session's messages, in the order of their seqs. */
export interface PruneStep {
  sessionId: string;
  /** Only messages from before this time. */
  before: number;
  afterSeq: number;
}

export interface Pruned {
  count: number;
  /** Where the next step starts; null at the end. */
  next: number | null;
}
