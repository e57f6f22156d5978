// What is asked of the store about messages that were sent long ago, and what it answers.
import type { CopyState, MessageType } from '../contract/message.js';
import type { MessageRecord, Receipt } from './store.js';

/** At least one of thread, sender and recipient is given: each has an index. */
export interface HistoryQuery {
  sessionId: string;
  threadId: string | null;
  sender: string | null;
  /** Who got a copy, or the group or agent that was addressed. */
  recipient: string | null;
  type: MessageType | null;
  /** A copy in this state; the recipient's own copy, where one is named that got one. */
  status: CopyState | null;
  since: number | null;
  until: number | null;
  /** Only messages with a lower seq. */
  before: number | null;
  limit: number;
  withDeliveries: boolean;
  /** A copy past its time counts as expired. */
  now: number;
}

export interface HistoryPage {
  entries: { message: MessageRecord; deliveries: Receipt[] }[];
  /** Where the next page begins; null when there is none. */
  before: number | null;
}

export interface SearchQuery {
  sessionId: string;
  /** Whose eyes: only what this agent may read. Null sees everything. */
  reader: string | null;
  terms: { words: string[]; isPrefix: boolean }[];
  threadId: string | null;
  sender: string | null;
  type: MessageType | null;
  since: number | null;
  until: number | null;
  place: SearchPlace | null;
  limit: number;
}

/**
 * A stretch of history, by seq, and the last hit shown of it. The stretch is kept from page to page, so that what
 * arrives meanwhile neither moves a hit nor shows one twice.
 */
export interface SearchPlace {
  top: number;
  shown: { floor: number; score: number; seq: number } | null;
}

export interface SearchPage {
  hits: { message: MessageRecord; snippet: string; score: number }[];
  /** Where the hits are from, for a place between them. */
  stretch: { top: number; floor: number };
  next: SearchPlace | null;
}
