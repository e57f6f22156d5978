// What rules require of a store to send a message.
import type { Turn } from '../../../ports/shared-turns.js';
import type { Appended, IdempotencyKey, SendPlan } from '../../../ports/store.js';
import type { MessageRow } from '../../rows/message-row.js';
import type { Draft } from '../draft.js';
import type { Steps } from '../steps.js';
import type { Inbox } from './keys.js';

export interface SendStatements {
  /** By its public id; undefined also for an id of another session. */
  findMessage(sessionId: string, messageId: string): Steps<MessageRow | undefined>;
  /** Throws when the two agents have taken too many turns. */
  checkTurn(plan: SendPlan, other: string): Steps<void>;
  noteTurn(turn: Turn): Steps<void>;
  /** Those that have no room for another waking copy. */
  fullInboxes(sessionId: string, agentIds: readonly string[]): Steps<string[]>;
  /** Invalidates the cached room of inboxes, for a copy that is added without a new message. */
  forgetRoom(sessionId: string): Steps<void>;
  /** Whether each inbox has room for this many more waking copies. */
  haveRoomFor(sessionId: string, need: RoomNeeded): Steps<boolean>;
  /** In the given order. Requires the session's order lock. */
  insertMessages(sessionId: string, drafts: readonly Draft[]): Steps<Appended[]>;
  /** Wakes its recipients after the commit. */
  wakeAfterCommit(sessionId: string, appended: Appended): Steps<void>;
  countUnread(inbox: Inbox): Steps<number>;
  /** The first send with the same key, unless the key has expired. */
  findSentBefore(request: KeyedRequest): Steps<SentBefore | undefined>;
  saveSent(plan: KeyedRequest, appended: Appended): Steps<void>;
  /** The first result of any other operation with the same key, unless the key has expired. */
  findResultBefore(request: KeyedRequest): Steps<{ hash: string; result: unknown } | undefined>;
  saveResult(request: KeyedRequest, result: unknown): Steps<void>;
}

export interface RoomNeeded {
  agentIds: readonly string[];
  messages: number;
}

/** Unpack the result only after comparing the hash: another operation may have used the key. */
export interface SentBefore {
  hash: string;
  unpack: () => Appended;
}

export interface KeyedRequest {
  sessionId: string;
  sender: string;
  key: IdempotencyKey;
}
