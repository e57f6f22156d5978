// Copies of messages in their readers' inboxes: how they are asked for, handed out, given back, and where they stand.
import type { CopyState, DeadReason, MessageType, Priority, Why } from '../contract/message.js';
import type { ThreadHeader } from '../contract/thread.js';
import type { MessageRecord } from './messages.js';

/** One copy's place in its reader's inbox. Never changes while the copy lives. */
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

/** Copies for a reader, and once each the threads they belong to. */
export interface HandedCopies {
  copies: HandedCopy[];
  hasMore: boolean;
  threads: ThreadHeader[];
}

export interface InboxFilter {
  /** Only mail that wakes; plain thread posts stay. */
  wakingOnly: boolean;
  from?: string;
  threadId?: string;
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
  /** What the answer may cost its reader: copies beyond it are left for the next call. Null for programs. */
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

/** A lease known only by its token, from a cursor. */
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
  /** Of a critical thread's opening: when the recipient first answered. */
  answeredAt: number | null;
  reason: DeadReason | null;
}
