// Threads as the store keeps them, and what is asked of it about them; responses of critical threads included.
import type { Why } from '../contract/message.js';
import type { ThreadStatus } from '../contract/thread.js';
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
  /** Longest member first. */
  members: string[];
  /** Members that joined later and do not see everything: the first seq they see. */
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
  /** Set for a critical thread, which has an opening. */
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

/** What makes the wait for a critical thread's responses complete. */
export interface CriticalTerms {
  wanted: number;
  required: string[];
}

export interface CriticalStanding {
  /** Whose answers count, in order. */
  counted: string[];
  complete: boolean;
  /** Who has not answered: of those required, or else of those who may. */
  missing: string[];
  /** Why it will not become complete. */
  reason: 'closed' | 'impossible' | null;
}

export interface ResponsesRequest {
  sessionId: string;
  threadId: string;
  reader: string;
  isAdmin: boolean;
  /** Null: as at the opening. */
  wanted: number | null;
  required: string[] | null;
  /** Take what there is, also when it is not complete. */
  isLast: boolean;
  /** No more are taken than this, the first ones; null for all. */
  responsesMax: number | null;
  token: string;
  isManual: boolean;
  now: number;
  monotonicNow: number;
  leaseMs: number;
}

export interface TakenResponse {
  message: MessageRecord;
  /** The reader's own copy, where it was free: leased with the response. */
  copy: { key: CopyKey; why: Why } | null;
  /** It was handed to the reader before. */
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
}

export interface ThreadChanged {
  thread: ThreadRecord;
  result: string;
  notices: Appended[];
  /** Copies that ended because their reader left the thread. */
  deadLettered: number;
}
