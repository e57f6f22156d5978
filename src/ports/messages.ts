// Messages as the store keeps them, and what a send asks of it and hears back.
import type { ContentBlock } from '../contract/content-block.js';
import type { ErrorObject } from '../contract/errors.js';
import type { Action, MessageType, Priority, Role, Why } from '../contract/message.js';
import type { NoticeKind } from '../contract/notify.js';

/** A stored message. Ids are made from `seq` and the session's salt by the store. */
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
}

/** Everything a send wants; what must hold is checked where it is stored. */
export interface SendPlan {
  sessionId: string;
  sender: string;
  isAdmin: boolean;
  threadId: string | null;
  target: string | null;
  /** The blocks as JSON: stored as they are, never looked into on the way. */
  content: string;
  /** What the blocks refer to; null, as nearly always, when they refer to nothing. */
  attachments: AttachmentBytes[] | null;
  /** Null: whatever suits the sender's kind. */
  role: Role | null;
  type: MessageType | null;
  priority: Priority;
  action: Action;
  urgent: boolean;
  mentions: string[];
  /** Words after an @ in the text; those that are members count as mentions. */
  mentionsInText: string[];
  replyTo: string | null;
  context: string | null;
  payload: Record<string, unknown> | null;
  metadata: Record<string, unknown>;
  label: string | null;
  shareThinking: boolean;
  /** The sender is told when a copy is read or dead. */
  wantsReceipt: boolean;
  /** Set on the hub's own notices, which may be gathered in a digest. */
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
  /** Whose eyes: only what a message has that this agent may read. Null sees everything. */
  reader: string | null;
  /** Named by itself, or by its place among the attachments of a message. */
  name: { hash: string } | { messageId: string; index: number };
  offset: number;
  length: number;
}

export type AttachmentFound =
  { hash: string; mediaType: string; size: number; bytes: Uint8Array } | { unknown: 'message' | 'attachment' };

export interface IdempotencyKey {
  key: string;
  /** Of everything that makes the request what it is. */
  hash: string;
  at: number;
  expiresAt: number;
}

export interface Recipient {
  id: string;
  why: Why;
  /** In the lane of mail that wakes a wait for mentions. */
  isWaking: boolean;
}

export interface Appended {
  seq: number;
  id: string;
  threadId: string | null;
  sender: string;
  recipients: Recipient[];
  /** Recipients whose inbox was full: their copies are dead letters. */
  undelivered: string[];
  mentions: string[];
  droppedMentions: string[];
  isInterrupt: boolean;
  duplicate: boolean;
}

export type AppendResult = { appended: Appended; senderUnread: number } | { refused: ErrorObject };
