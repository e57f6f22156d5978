// What rules require of a store for stored messages and their attachments.
import type { Hit } from '../../../message/history/search-page.js';
import type { Reader } from '../../../ports/caller.js';
import type { SearchQuery } from '../../../ports/history.js';
import type { AttachmentQuery, PruneStep } from '../../../ports/store.js';
import type { MessageRow } from '../../rows/message-row.js';
import type { Steps } from '../steps.js';

export interface HistoryStatements {
  /** In the order of the seqs; missing ones are left out. */
  messagesOf(sessionId: string, seqs: readonly number[]): Steps<MessageRow[]>;
  /** As many of them as one page holds, from the first on. */
  messagesWithin(sessionId: string, seqs: readonly number[]): Steps<{ rows: MessageRow[]; isFull: boolean }>;
  /** Replaces what it says, and removes its words and attachments. */
  eraseMessage(row: MessageRow, left: Pick<MessageRow, 'content' | 'extras'>): Steps<void>;
  /** The next few, and which of them may be deleted. */
  prunableMessages(step: PruneStep): Steps<PrunableRow[]>;
  deleteMessages(sessionId: string, seqs: readonly number[]): Steps<void>;
  /** All hits from `top` down to a floor: the given one, or where the work limit of one call is reached. */
  readWindow(query: SearchQuery, window: SearchWindow): Steps<{ hits: Hit[]; floor: number }>;
}

export interface PrunableRow {
  seq: number;
  at: number;
  isEnded: boolean;
}

export interface SearchWindow {
  top: number;
  floor: number | null;
}

export interface AttachmentStatements {
  /** Whether the reader may read one of the newest `limit` messages with this attachment. */
  mayReadUse(use: AttachmentUses, reader: Reader): Steps<boolean>;
  mayReadMessage(row: MessageRow, reader: Reader): Steps<boolean>;
  attachmentPart(query: AttachmentQuery, hash: string): Steps<AttachmentPart | undefined>;
}

export interface MessageKey {
  sessionId: string;
  seq: number;
}

export interface AttachmentUses {
  sessionId: string;
  hash: string;
  limit: number;
}

export interface AttachmentPart {
  size: number;
  media_type: string;
  part: Uint8Array;
}
