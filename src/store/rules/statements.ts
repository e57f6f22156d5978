// What rules ask of a store: statements and the reading of rows, nothing decided. Both stores implement all of it; whatever
// a statement must do for its own store beside that (locks, versions, what is remembered) stays behind it.
import type { AgentKind } from '../../contract/agent.js';
import type { Why } from '../../contract/message.js';
import type { NotifyPrefs } from '../../contract/notify.js';
import type { ThreadHeader, ThreadStatus } from '../../contract/thread.js';
import type { NotifySettings } from '../../notify/decide-notices.js';
import type { ThreadBacklog } from '../../notify/digest.js';
import type { Turn } from '../../ports/shared-turns.js';
import type {
  AgentRecord,
  Appended,
  AttachmentQuery,
  CopyKey,
  CreateThreadPlan,
  HandedCopy,
  IdempotencyKey,
  LeasedCopies,
  LeaseRequest,
  MessageRecord,
  PeekRequest,
  ResponsesRequest,
  ThreadRecord,
} from '../../ports/store.js';
import type { CriticalThread, FirstAnswer } from '../../thread/decide-critical.js';
import type { CopyRow } from '../rows/copy-row.js';
import type { NewCriticalThread } from '../rows/critical-row.js';
import type { LetterRow } from '../rows/letter-row.js';
import type { MessageRow } from '../rows/message-row.js';
import type { NoticeRow } from '../rows/notice-row.js';
import type { EndedCopy, Ending } from './end-copies.js';
import type { Draft } from './draft.js';
import type { Steps } from './steps.js';

/** What a send must know of an agent. */
export interface AgentFacts {
  name: string;
  kind: AgentKind;
}

export interface InThread {
  sessionId: string;
  threadId: string;
}

export interface Inbox {
  sessionId: string;
  agentId: string;
}

interface SessionStatements {
  /** Undefined until its first use has made it. */
  findSession(sessionId: string): Steps<{ salt: number } | undefined>;
  countSessions(): Steps<number>;
  insertSession(sessionId: string, options: { at: number; groups: readonly string[] }): Steps<void>;
  /** The seq of the session's newest message; 0 when it has none. */
  lastSeqOf(sessionId: string): Steps<number>;
  /** Whoever writes messages, or reads what must not change before the commit, holds the session's order. */
  requireOrder(sessionId: string): Steps<void>;

  findAgent(sessionId: string, id: string): Steps<AgentRecord | undefined>;
  /** Those of them that are registered. */
  agentFacts(sessionId: string, ids: readonly string[]): Steps<ReadonlyMap<string, AgentFacts>>;
  insertAgent(sessionId: string, agent: NewAgent): Steps<AgentRecord>;
  updateAgent(sessionId: string, change: { before: AgentRecord; after: Profile; at: number }): Steps<AgentRecord>;
  deleteAgent(sessionId: string, id: string): Steps<void>;
  /** By id; those of `ids`, or all when it is null. */
  listAgentRows(sessionId: string, ids: readonly string[] | null): Steps<(AgentRecord & { unread: number })[]>;
  /** Ids in order of registration, without a limit: a message to everyone must miss no one. */
  agentsSeenSince(sessionId: string, since: number): Steps<string[]>;

  /** The stored list, names that no agent is registered under included. */
  groupMembers(sessionId: string, name: string): Steps<string[] | undefined>;
  /** By name. */
  listGroupRows(sessionId: string, limit: number): Steps<{ name: string; members: string[] }[]>;
  saveGroups(sessionId: string, groups: readonly { name: string; members: string[] }[]): Steps<void>;
  deleteGroup(sessionId: string, name: string): Steps<void>;

  notifySettings(sessionId: string): Steps<NotifySettings>;
  saveNotifyPrefs(inbox: Inbox, prefs: NotifyPrefs): Steps<void>;
  deleteNotifyPrefs(inbox: Inbox): Steps<void>;
  saveNotifyTemplate(sessionId: string, template: { name: string; text: string | null }): Steps<void>;
}

export interface Profile {
  name: string;
  description: string;
  capabilities: string[];
}

export interface NewAgent extends Profile {
  id: string;
  owner: string;
  at: number;
}

interface SendStatements {
  /** By its public id; undefined for an id of another session too. */
  findMessage(sessionId: string, messageId: string): Steps<MessageRow | undefined>;
  /** Every id and group name that a message can be addressed to, at most 10,000. */
  targetNames(sessionId: string): Steps<string[]>;
  /** Throws when the two have taken too many turns. */
  checkTurn(turn: Omit<Turn, 'seq'>): Steps<void>;
  noteTurn(turn: Turn): Steps<void>;
  /** Those of these inboxes that take no more waking copies. */
  fullInboxes(sessionId: string, agentIds: readonly string[]): Steps<string[]>;
  /** An inbox gets a copy without a new message: what is known of the room in inboxes no longer holds. */
  forgetRoom(sessionId: string): Steps<void>;
  /** Whether each of these inboxes takes so many more waking copies. */
  haveRoomFor(sessionId: string, need: { agentIds: readonly string[]; messages: number }): Steps<boolean>;
  /** Of one session, in their order. The session's order must be held. */
  insertMessages(sessionId: string, drafts: readonly Draft[]): Steps<Appended[]>;
  /** Its readers are woken after the commit. */
  wakeAfterCommit(sessionId: string, appended: Appended): Steps<void>;
  countUnread(inbox: Inbox): Steps<number>;
  /** The first send under the same key, unless that has expired. */
  findSentBefore(plan: KeyedRequest): Steps<{ hash: string; appended: Appended } | undefined>;
  saveSent(plan: KeyedRequest, appended: Appended): Steps<void>;
  /** The first result of any other operation under the same key, unless that has expired. */
  findResultBefore(request: KeyedRequest): Steps<{ hash: string; result: unknown } | undefined>;
  saveResult(request: KeyedRequest, result: unknown): Steps<void>;
}

export interface KeyedRequest {
  sessionId: string;
  sender: string;
  key: IdempotencyKey;
}

interface ThreadStatements {
  findThread(sessionId: string, threadId: string): Steps<ThreadRecord | undefined>;
  findThreads(sessionId: string, threadIds: readonly string[]): Steps<ReadonlyMap<string, ThreadRecord>>;
  insertThread(plan: CreateThreadPlan): Steps<void>;
  updateThreads(sessionId: string, threads: readonly ThreadUpdate[]): Steps<void>;
  /** After those that are members already, in this order. */
  insertMembers(thread: InThread, joining: { ids: readonly string[]; fromSeq: number }): Steps<void>;
  deleteMembers(thread: InThread, ids: readonly string[]): Steps<void>;
  /** The threads the agent was in, in order of their ids, each with its longest remaining member. */
  leaveThreads(inbox: Inbox): Steps<{ threadId: string; heir: string | null }[]>;
  readThreadMessages(query: InThread & PageOfThread): Steps<{ messages: MessageRecord[]; hasMore: boolean }>;

  insertCritical(critical: NewCriticalThread): Steps<void>;
  findCritical(sessionId: string, threadId: string): Steps<CriticalThread | undefined>;
  /** Later answers of the same agent change nothing. */
  insertAnswer(thread: InThread, answer: FirstAnswer): Steps<void>;
  /** In order of `seq`, one for each that has answered. */
  firstAnswers(sessionId: string, threadId: string): Steps<FirstAnswer[]>;
  responseRows(request: ResponsesRequest, answers: readonly FirstAnswer[]): Steps<ResponseRow[]>;
}

interface PageOfThread {
  afterSeq: number | null;
  beforeSeq: number | null;
  fromSeq: number;
  limit: number;
}

export interface ThreadUpdate {
  threadId: string;
  status: ThreadStatus;
  creator: string;
  summary: string | null;
}

/** A response with the reader's own copy, if it has one: `attempts` also of one that has ended. */
export type ResponseRow = MessageRow & {
  lane: number | null;
  why: Why | null;
  isFree: boolean | null;
  attempts: number | null;
};

interface InboxStatements {
  /** `wait` also waits for copies that another transaction holds; `skip` leaves them out. */
  freeCopies(query: PeekRequest, hold: 'skip' | 'wait'): Steps<FreeCopies>;
  /** Whether there are such copies all the same, when `skip` found none; and what is unread. */
  lookAgain(query: Omit<PeekRequest, 'limit'>): Steps<{ hasFree: boolean; unread: number }>;
  /** The seqs that were still free, and what is unread then. The attempt is counted in the same statement. */
  leaseKeys(lease: NewLease, keys: readonly CopyKey[]): Steps<{ seqs: number[]; unread: number }>;

  /** Moves the copies to history, with a dead letter each if there is a reason. In inbox order, a bounded number. */
  endCopies(selection: CopySelection, ending: Ending): Steps<EndedCopy[]>;
  /** The critical thread that this message opened, if all its present members have read it and no one was told. */
  openingReadByAll(sessionId: string, seq: number): Steps<OpeningRead | undefined>;
  saveAllRead(thread: InThread, at: number): Steps<void>;

  /** Notices that a digest may stand for, at most `limit`. */
  freeNotices(inbox: Inbox, limit: number): Steps<NoticeRow[]>;
  /** Counted over at most `limit` copies. */
  backlogByThread(inbox: Inbox, limit: number): Steps<ReadonlyMap<string, ThreadBacklog>>;
  /** These copies wait behind the digest from now on. */
  hideBehindDigest(inbox: Inbox, digest: { seq: number; rows: readonly NoticeRow[] }): Steps<void>;

  findDeadLetter(sessionId: string, number: number): Steps<LetterRow | undefined>;
  /** False when it is gone already. */
  deleteDeadLetter(sessionId: string, number: number): Steps<boolean>;
  findEndedCopy(inbox: Inbox, seq: number): Steps<{ lane: number; wantsReceipt: number | null } | undefined>;
  /** They keep their attempts. What is open already, or has no reader any more, is left out. */
  reopenCopies(inbox: Inbox, copies: readonly ReopenedCopy[]): Steps<number[]>;
}

export interface FreeCopies {
  rows: CopyRow[];
  salt: number;
  /** Of the threads of these copies, in their order. */
  headersOf(copies: readonly HandedCopy[]): ThreadHeader[];
}

export type NewLease = Pick<
  LeaseRequest,
  'sessionId' | 'agentId' | 'token' | 'isManual' | 'now' | 'monotonicNow' | 'leaseMs'
>;

/** Which copies end: those of a lease, a reader's whole inbox, its inbox in one thread, or what a digest stands for. */
export type CopySelection =
  | { kind: 'lease'; lease: LeasedCopies }
  | { kind: 'inbox'; inbox: Inbox }
  | { kind: 'thread'; inbox: Inbox; threadId: string }
  | { kind: 'digest'; digest: EndedCopy };

export interface OpeningRead {
  threadId: string;
  title: string;
  opener: string;
  readers: string[];
}

export interface ReopenedCopy {
  key: CopyKey;
  expiresAt: number | null;
  wantsReceipt: number | null;
}

interface AttachmentStatements {
  /** Of the newest messages with this attachment, at most `limit`, whether one lets the reader in. */
  mayReadUse(query: AttachmentQuery & { reader: string }, use: { hash: string; limit: number }): Steps<boolean>;
  mayReadMessage(row: MessageRow, reader: string): Steps<boolean>;
  attachmentPart(query: AttachmentQuery, hash: string): Steps<AttachmentPart | undefined>;
}

export interface AttachmentPart {
  size: number;
  media_type: string;
  part: Uint8Array;
}

export type Statements = SessionStatements & SendStatements & ThreadStatements & InboxStatements & AttachmentStatements;
