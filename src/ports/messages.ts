// Messages as the store keeps them, and the plan and result of a send.
import type { ContentBlock } from '../contract/content-block.js';
import type { ErrorObject } from '../contract/errors.js';
import type { Action, MessageType, Priority, Role, Why } from '../contract/message.js';
import type { NoticeKind } from '../contract/notify.js';
import type { Reader } from './caller.js';

/** A stored message. The store makes the id from `seq` and the session's salt. */
export interface MessageRecord {
  id: string;
  seq: number;
  sessionId: string;
  threadId: string | null;
  sender: string;
  name: string;
  role: Role;
  content: ContentBlock[];
  mentions: string[];
  type: MessageType | null;
  /** False for a type stored by default, which readers are not shown. */
  isTypeGiven: boolean;
  priority: Priority;
  action: Action;
  urgent: boolean;
  replyTo: string | null;
  target: string | null;
  context: string | null;
  payload: Record<string, unknown> | null;
  metadata: Record<string, unknown>;
  label: string | null;
  shareThinking: boolean;
  at: number;
  expiresAt: number | null;
  /** Null: it says what its sender wrote. */
  redaction: Redaction | null;
}

/** An administrator erased what a message said. */
export interface Redaction {
  by: string;
  at: number;
  reason: string | null;
}

/** What a send wants to store. The store checks the preconditions in its transaction. */
export interface SendPlan {
  sessionId: string;
  sender: string;
  isAdmin: boolean;
  threadId: string | null;
  target: string | null;
  /** The blocks as JSON: stored as they are, never parsed on the way. */
  content: string;
  /** The attachments that the blocks refer to; null if none, which is the usual case. */
  attachments: AttachmentBytes[] | null;
  /** Null: the default for the sender's kind. */
  role: Role | null;
  type: MessageType | null;
  priority: Priority;
  action: Action;
  urgent: boolean;
  mentions: string[];
  /** Ids after an @ in the text; those of members count as mentions. */
  mentionsInText: string[];
  replyTo: string | null;
  context: string | null;
  payload: Record<string, unknown> | null;
  metadata: Record<string, unknown>;
  label: string | null;
  shareThinking: boolean;
  /** The sender gets a receipt when a copy is read or becomes a dead letter. */
  wantsReceipt: boolean;
  /** Set on the hub's own notices, which may be combined into a digest. */
  notice: { kind: NoticeKind | 'digest'; by: string } | null;
  at: number;
  expiresAt: number | null;
  key: IdempotencyKey | null;
}

/** Stored once per session, by hash. */
export interface AttachmentBytes {
  /** SHA-256, in hex. */
  hash: string;
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface AttachmentData {
  hash: string;
  bytes: Uint8Array;
}

export interface AttachmentQuery {
  sessionId: string;
  /** Only attachments of messages that it may read. */
  reader: Reader;
  /** By its hash, or by its index among the attachments of a message. */
  name: { hash: string } | { messageId: string; index: number };
  offset: number;
  length: number;
}

export type AttachmentFound =
  { hash: string; mediaType: string; size: number; bytes: Uint8Array } | { unknown: 'message' | 'attachment' };

export interface IdempotencyKey {
  key: string;
  /** Hash over the whole request. */
  hash: string;
  at: number;
  expiresAt: number;
}

export interface Recipient {
  id: string;
  why: Why;
  /** Whether the copy wakes a wait for mentions. */
  isWaking: boolean;
}

/** Told after a commit: a message from `system`, whose recipients are woken, or the act of an audit entry. */
export type CommitNews = { sessionId: string; appended: Appended } | { audited: string };

export interface Appended {
  seq: number;
  id: string;
  threadId: string | null;
  sender: string;
  recipients: Recipient[];
  /** Recipients whose inbox was full: their copies became dead letters. */
  undelivered: string[];
  mentions: string[];
  droppedMentions: string[];
  isInterrupt: boolean;
  duplicate: boolean;
}

export type AppendResult = { appended: Appended; senderUnread: number } | { refused: ErrorObject };
