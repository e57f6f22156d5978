// Queries over stored messages, history and search, and their results.
import type { CopyState, MessageType } from '../contract/message.js';
import type { Reader } from './caller.js';
import type { MessageRecord, Receipt } from './store.js';

/** At least one of threadId, sender and recipient is set: each has an index. */
export interface HistoryQuery {
  sessionId: string;
  threadId: string | null;
  sender: string | null;
  /** An agent that got a copy, or the group or agent that was addressed. */
  recipient: string | null;
  type: MessageType | null;
  /** Messages with a copy in this state; the recipient's own copy, if `recipient` is set and got one. */
  status: CopyState | null;
  since: number | null;
  until: number | null;
  /** Only messages with a lower seq. */
  before: number | null;
  limit: number;
  withDeliveries: boolean;
  /** Copies past their expiry count as expired, also when not yet reaped. */
  now: number;
}

export interface HistoryPage {
  entries: { message: MessageRecord; deliveries: Receipt[] }[];
  /** Start of the next page; null on the last one. */
  before: number | null;
}

/** A session's messages in order, as a live follower reads them. */
export interface FeedQuery {
  sessionId: string;
  reader: Reader;
  afterSeq: number;
  /** How many messages are examined, and how many bytes of them, whether the reader may read them or not. */
  limit: number;
  /** At most a page's. */
  bytesMax?: number;
  withRecipients?: boolean;
}

export interface FeedPage {
  messages: MessageRecord[];
  /** Who got a copy of each message; empty unless it was asked for. */
  recipients: string[][];
  /** The seq of the last message examined, where the next page starts. */
  position: number;
  hasMore: boolean;
}

/** A thread, and when the last message was sent in it. */
export interface ActiveThread {
  threadId: string;
  at: number;
}

/** How much was sent between two times. */
export interface ActivityQuery {
  sessionId: string;
  reader: Reader;
  since: number;
  until: number;
  /** Into how many equal parts the time is divided. */
  buckets: number;
}

export interface Activity {
  sent: number[];
  copies: number[];
  pairs: { from: string; to: string; messages: number }[];
  /** Where the count begins, if not all messages since then were examined; else null. */
  countedSince: number | null;
}

export interface SearchQuery {
  sessionId: string;
  reader: Reader;
  terms: { words: string[]; isPrefix: boolean }[];
  threadId: string | null;
  sender: string | null;
  type: MessageType | null;
  since: number | null;
  until: number | null;
  position: SearchPosition | null;
  limit: number;
}

/**
 * The top of a window of history, by seq, and the last hit shown of that window. The window stays the same from page to
 * page, so that messages that arrive meanwhile neither move a hit nor show one twice.
 */
export interface SearchPosition {
  top: number;
  shown: { floor: number; score: number; seq: number } | null;
}

export interface SearchPage {
  hits: { message: MessageRecord; snippet: string; score: number }[];
  /** The window the hits are from, for a position between them. */
  window: { top: number; floor: number };
  next: SearchPosition | null;
}
