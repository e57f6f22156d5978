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
  /** How many messages are examined, whether the reader may read them or not. */
  limit: number;
}

export interface FeedPage {
  messages: MessageRecord[];
  /** The seq of the last message examined, where the next page starts. */
  position: number;
  hasMore: boolean;
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
