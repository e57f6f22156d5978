// Copies of messages in their readers' inboxes: filters, leases and receipts.
import type { CopyState, DeadReason, MessageType, Priority, Why } from '../contract/message.js';
import type { ThreadHeader } from '../contract/thread.js';
import type { MessageRecord } from './messages.js';

export interface InboxName {
  sessionId: string;
  agentId: string;
}

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
  /** Of the copies; a page's, if it is left out. */
  bytesMax?: number;
  /** What is not filed is scanned, however much it is: the store refused to file it. */
  scansUnfiled?: boolean;
  /** Absent for a read that does not wait. */
  wait?: WaitTurn | undefined;
}

/**
 * A wait's read. first: if it finds nothing, the store keeps the request and leases for it what is stored from then on, see
 * `HandedOver`. again: of a wait that is kept. last: the same, and it is kept no longer. A kept wait that copies were
 * handed to finds nothing: it has them already.
 */
export type WaitTurn = 'first' | 'again' | 'last';

export type TakenCopies = HandedCopies & {
  /** Waking copies that are left. */
  unread: number;
  /** A filtered read of a deep inbox needs `fileCopies` first; nothing is leased. */
  mustFile?: true;
};

/** Which wait: its reader and the token of its lease. */
export interface WaitReference {
  sessionId: string;
  agentId: string;
  token: string;
}

/** Copies that were leased for a kept wait in the transaction that stored them. */
export interface HandedOver extends WaitReference {
  taken: TakenCopies;
  /** The hub's monotonic time just before. */
  leasedAt: number;
}

export interface PeekRequest {
  sessionId: string;
  agentId: string;
  filter: InboxFilter;
  limit: number;
  after: CopyKey | null;
  now: number;
  /** Of the copies; a page's, if it is left out. */
  bytesMax?: number;
  /** As in `LeaseRequest`. */
  scansUnfiled?: boolean;
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
