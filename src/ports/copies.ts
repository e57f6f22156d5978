// Copies of messages in their readers' inboxes: filters, leases and receipts.
import type { CopyState, DeadReason, MessageType, Priority, Why } from '../contract/message.js';
import type { ThreadHeader } from '../contract/thread.js';
import type { MessageRecord } from './messages.js';

/** Position of a copy in its reader's inbox. Never changes until the copy ends. */
export interface CopyKey {
  lane: number;
  rank: number;
  seq: number;
}

export interface HandedCopy {
  key: CopyKey;
  message: MessageRecord;
  why: Why;
  redelivered: boolean;
  attempt: number;
}

/** Copies for a reader, and each thread they belong to once. */
export interface HandedCopies {
  copies: HandedCopy[];
  hasMore: boolean;
  threads: ThreadHeader[];
}

export interface InboxFilter {
  /** Only copies that wake a wait for mentions, not plain thread posts. */
  wakingOnly: boolean;
  from?: string;
  /** Copies in any of these pass. */
  threadIds?: readonly string[];
  target?: string;
  type?: MessageType;
  priority?: Priority;
}

export interface LeaseRequest {
  sessionId: string;
  agentId: string;
  filter: InboxFilter;
  limit: number;
  token: string;
  isManual: boolean;
  now: number;
  monotonicNow: number;
  leaseMs: number;
  /** Token budget of the answer: copies beyond it are left for the next call. Null for programs. */
  tokensMax: number | null;
}

export interface PeekRequest {
  sessionId: string;
  agentId: string;
  filter: InboxFilter;
  limit: number;
  after: CopyKey | null;
  now: number;
}

export interface LeasedCopies {
  sessionId: string;
  agentId: string;
  token: string;
  keys: CopyKey[];
}

/** A lease as a cursor names it. */
export interface LeaseReference {
  sessionId: string;
  agentId: string;
  token: string;
  count: number;
  rank: number;
  seq: number;
}

export interface Receipt {
  recipient: string;
  state: CopyState;
  at: number;
  attempts: number;
  deliveredAt: number | null;
  /** For the opening of a critical thread: when the recipient first answered. */
  answeredAt: number | null;
  reason: DeadReason | null;
}
