// Sessions as the store keeps them, and the plans of their changes.
import type { AuditEntry } from './audit.js';
import type { MessageRecord } from './messages.js';

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
  /** Only messages from before this time, whose copies ended before it. */
  before: number;
  afterSeq: number;
}

export interface Pruned {
  count: number;
  /** Where the next step starts; null at the end. */
  next: number | null;
}

/** The part of the store that administers sessions. */
export interface SessionStore {
  createSession(plan: CreateSessionPlan): Promise<SessionRecord>;
  /** With its open threads. A session that is closed already stays as it is. */
  closeSession(plan: CloseSessionPlan): Promise<SessionClosed>;
  /** Those that `bySession` administers, by id; null: all. */
  listSessions(query: {
    bySession: string | null;
    limit: number;
    after: string | null;
  }): Promise<{ sessions: ListedSession[]; hasMore: boolean }>;
  findSession(query: { sessionId: string }): Promise<SessionRecord | null>;
  /** Null for a session that is open or does not exist. */
  sessionClosure(query: { sessionId: string }): Promise<Closure | null>;
  /** Open sessions whose time is over. */
  expiredSessions(query: { now: number }): Promise<string[]>;
  /** Erases what a message says; its id, place, sender and recipients stay. */
  redactMessage(plan: RedactPlan): Promise<MessageRecord>;
  /** Deletes messages whose copies have all ended. The newest message of a session always stays: seqs follow it. */
  pruneMessages(step: PruneStep): Promise<Pruned>;
}
