// Threads as the store keeps them, and the plans and results of changes; also responses in critical threads.
import type { Why } from '../contract/message.js';
import type { ThreadStatus } from '../contract/thread.js';
import type { AuditEntry } from './audit.js';
import type { CopyKey } from './copies.js';
import type { Appended, IdempotencyKey, MessageRecord, SendPlan } from './messages.js';

export interface ThreadRecord {
  id: string;
  title: string;
  status: ThreadStatus;
  creator: string;
  isCritical: boolean;
  isPrivate: boolean;
  summary: string | null;
  createdAt: number;
  /** In the order of joining. */
  members: string[];
  /** The first visible seq of members that joined later and may not read everything. */
  hiddenBefore: Record<string, number>;
}

export interface CreateThreadPlan {
  sessionId: string;
  threadId: string;
  title: string;
  creator: string;
  isAdmin: boolean;
  participants: string[];
  isPrivate: boolean;
  /** Set for a critical thread, which always has an opening. */
  critical: (CriticalTerms & { deadline: number }) | null;
  opening: SendPlan | null;
  at: number;
  key: IdempotencyKey | null;
}

export interface ThreadCreated {
  thread: ThreadRecord;
  unknownParticipants: string[];
  opening: Appended | null;
  notices: Appended[];
  duplicate: boolean;
}

/** When the wait for a critical thread's responses is complete. */
export interface CriticalTerms {
  wanted: number;
  required: string[];
}

export interface CriticalStanding {
  /** Agents whose answers count, in order. */
  counted: string[];
  complete: boolean;
  /** Required agents without an answer; if none, eligible agents without one. */
  missing: string[];
  /** Why it cannot become complete. */
  reason: 'closed' | 'impossible' | null;
}

export interface ResponsesRequest {
  sessionId: string;
  threadId: string;
  reader: string;
  isAdmin: boolean;
  /** Null: as set at the opening. */
  wanted: number | null;
  required: string[] | null;
  /** Take the responses there are, even if incomplete. */
  isLast: boolean;
  /** At most this many responses are taken, the first ones; null for all. */
  responsesMax: number | null;
  token: string;
  isManual: boolean;
  now: number;
  monotonicNow: number;
  leaseMs: number;
}

export interface TakenResponse {
  message: MessageRecord;
  /** The reader's own copy, leased with the response; null if it was not free. */
  copy: { key: CopyKey; why: Why } | null;
  /** The reader was handed it before. */
  redelivered: boolean;
}

export interface Responses {
  thread: ThreadRecord;
  openingId: string;
  deadline: number;
  terms: CriticalTerms;
  standing: CriticalStanding;
  /** Null while the wait should go on. */
  taken: { responses: TakenResponse[]; unread: number } | null;
}

export type ThreadChange =
  | { kind: 'join' }
  | { kind: 'leave' }
  | { kind: 'add'; participantId: string }
  | { kind: 'remove'; participantId: string }
  | { kind: 'close'; summary: string }
  | { kind: 'reopen' };

export interface ChangeThreadPlan {
  sessionId: string;
  threadId: string;
  change: ThreadChange;
  by: string;
  isAdmin: boolean;
  at: number;
  /** Stored if only an admin may make this change, or it is made on the hub's page. */
  audit: AuditEntry;
  isPage?: boolean;
}

export interface ThreadChanged {
  thread: ThreadRecord;
  result: string;
  notices: Appended[];
  /** Copies that ended because their reader left the thread. */
  deadLettered: number;
}
