// What rules require of a store to export and import a session, where the stores differ.
import type { MessageRow } from '../../rows/message-row.js';
import type { Row } from '../../rows/tables.js';
import type { KeyRange } from '../../sql/key-range.js';
import type { Steps } from '../steps.js';

/** Copies of messages: those that have not ended, and those that have. */
export interface TransferCopies {
  pending: Row[];
  ended: Row[];
}

export interface KeysQuery {
  after: { sender: string; key: string } | null;
  now: number;
  lastSeq: number;
  limit: number;
}

/** An idempotency key and its first answer, without what the seq implies. */
export interface TransferKey {
  sender: string;
  key: string;
  hash: string;
  expiresAt: number;
  seq: number | null;
  result: unknown;
}

export interface TransferRows {
  table: string;
  columns: readonly string[];
  rows: readonly Row[];
}

export interface TransferStatements {
  transferCopies(sessionId: string, messages: readonly MessageRow[]): Steps<TransferCopies>;
  transferKeys(sessionId: string, query: KeysQuery): Steps<TransferKey[]>;
  insertTransferRows(sessionId: string, given: TransferRows): Steps<void>;
  insertAttachment(sessionId: string, attachment: { hash: string; mediaType: string; bytes: Uint8Array }): Steps<void>;
  /** Removes dead letters whose copies are not dead: they were sent again while the export was made. */
  dropLettersSentAgain(sessionId: string, range: KeyRange): Steps<void>;
  /** After the last message of a session is gone: what indexes know of it. */
  forgetIndexes(sessionId: string): Steps<void>;
}
