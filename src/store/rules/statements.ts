// What rules ask of a store: statements and the reading of rows, nothing decided. Both stores implement all of it; whatever
// a statement must do for its own store beside that (locks, versions, what is remembered) stays behind it.
import type { AgentKind } from '../../contract/agent.js';
import type { Why } from '../../contract/message.js';
import type { ThreadHeader, ThreadStatus } from '../../contract/thread.js';
import type { Hit } from '../../message/history/search-page.js';
import type { NotifySettings } from '../../notify/decide-notices.js';
import type { ThreadBacklog } from '../../notify/digest.js';
import type { SearchQuery } from '../../ports/history.js';
import type { Turn } from '../../ports/shared-turns.js';
import type {
  AgentRecord,
  Appended,
  AttachmentQuery,
  CopyKey,
  HandedCopy,
  IdempotencyKey,
  LeasedCopies,
  LeaseReference,
  LeaseRequest,
  MessageRecord,
  PeekRequest,
  Receipt,
  ResponsesRequest,
  SendPlan,
  ThreadRecord,
} from '../../ports/store.js';
import type { FirstAnswer } from '../../thread/decide-critical.js';
import type { CopyRow } from '../rows/copy-row.js';
import type { NewCriticalThread } from '../rows/critical-row.js';
import type { LeasedRow } from '../rows/leased-copies.js';
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

/** What changed of the facts that a send must know. */
export type ChangedFacts = { agentId: string } | { threadId: string } | 'groups' | 'notify';

type SqlParameter = string | number | null;

/** For statements that both databases run as they stand; `?` stands for a value. */
interface PlainStatements {
  get<Row extends object>(sql: string, values: readonly SqlParameter[]): Steps<Row | undefined>;
  all<Row extends object>(sql: string, values: readonly SqlParameter[]): Steps<Row[]>;
  /** Returns how many rows changed. */
  run(sql: string, values: readonly SqlParameter[]): Steps<number>;
  /** Before such facts are written: whatever the store remembers of them is read again. */
  factsChange(sessionId: string, changed: ChangedFacts): Steps<void>;
}

interface SessionStatements {
  /** Undefined until its first use has made it. */
  findSession(sessionId: string): Steps<{ salt: number } | undefined>;
  countSessions(): Steps<number>;
  insertSession(sessionId: string, options: NewSession): Steps<void>;
  /** The seq of the session's newest message; 0 when it has none. */
  lastSeqOf(sessionId: string): Steps<number>;
  /** Whoever writes messages, or reads what must not change before the commit, holds the session's order. */
  requireOrder(sessionId: string): Steps<void>;

  /** Those of them that are registered. */
  agentFacts(sessionId: string, ids: readonly string[]): Steps<ReadonlyMap<string, AgentFacts>>;
  insertAgent(sessionId: string, agent: NewAgent): Steps<AgentRecord>;
  updateAgent(sessionId: string, change: ProfileChange): Steps<AgentRecord>;
  /** By id; those of `ids`, or all when it is null. */
  listAgentRows(sessionId: string, ids: readonly string[] | null): Steps<ListedAgent[]>;

  /** The stored list, names that no agent is registered under included. */
  groupMembers(sessionId: string, name: string): Steps<string[] | undefined>;

  notifySettings(sessionId: string): Steps<NotifySettings>;
}

export interface NewSession {
  at: number;
  groups: readonly string[];
}

export type ListedAgent = AgentRecord & { unread: number };

export interface Profile {
  name: string;
  description: string;
  capabilities: string[];
}

export interface ProfileChange {
  before: AgentRecord;
  after: Profile;
  at: number;
}

export interface NewAgent extends Profile {
  id: string;
  owner: string;
  at: number;
}

interface SendStatements {
  /** By its public id; undefined for an id of another session too. */
  findMessage(sessionId: string, messageId: string): Steps<MessageRow | undefined>;
  /** Throws when the two have taken too many turns. */
  checkTurn(plan: SendPlan, other: string): Steps<void>;
  noteTurn(turn: Turn): Steps<void>;
  /** Those of these inboxes that take no more waking copies. */
  fullInboxes(sessionId: string, agentIds: readonly string[]): Steps<string[]>;
  /** An inbox gets a copy without a new message: what is known of the room in inboxes no longer holds. */
  forgetRoom(sessionId: string): Steps<void>;
  /** Whether each of these inboxes takes so many more waking copies. */
  haveRoomFor(sessionId: string, need: RoomNeeded): Steps<boolean>;
  /** Of one session, in their order. The session's order must be held. */
  insertMessages(sessionId: string, drafts: readonly Draft[]): Steps<Appended[]>;
  /** Its readers are woken after the commit. */
  wakeAfterCommit(sessionId: string, appended: Appended): Steps<void>;
  countUnread(inbox: Inbox): Steps<number>;
  /** The first send under the same key, unless that has expired. */
  findSentBefore(request: KeyedRequest): Steps<SentBefore | undefined>;
  saveSent(plan: KeyedRequest, appended: Appended): Steps<void>;
  /** The first result of any other operation under the same key, unless that has expired. */
  findResultBefore(request: KeyedRequest): Steps<{ hash: string; result: unknown } | undefined>;
  saveResult(request: KeyedRequest, result: unknown): Steps<void>;
}

export interface RoomNeeded {
  agentIds: readonly string[];
  messages: number;
}

/** The result is unpacked once its request is known to be the same: another operation may have used the key. */
export interface SentBefore {
  hash: string;
  unpack: () => Appended;
}

export interface KeyedRequest {
  sessionId: string;
  sender: string;
  key: IdempotencyKey;
}

interface ThreadStatements {
  findThread(sessionId: string, threadId: string): Steps<ThreadRecord | undefined>;
  findThreads(sessionId: string, threadIds: readonly string[]): Steps<ReadonlyMap<string, ThreadRecord>>;
  updateThreads(sessionId: string, threads: readonly ThreadUpdate[]): Steps<void>;
  /** After those that are members already, in this order. */
  insertMembers(thread: InThread, joining: Joining): Steps<void>;
  /** The threads the agent was in, in order of their ids, each with its longest remaining member. */
  leaveThreads(inbox: Inbox): Steps<LeftThread[]>;
  readThreadMessages(query: InThread & PageOfThread): Steps<{ messages: MessageRecord[]; hasMore: boolean }>;

  insertCritical(critical: NewCriticalThread): Steps<void>;
  responseRows(request: ResponsesRequest, answers: readonly FirstAnswer[]): Steps<ResponseRow[]>;
}

interface PageOfThread {
  afterSeq: number | null;
  beforeSeq: number | null;
  fromSeq: number;
  limit: number;
}

export interface Joining {
  ids: readonly string[];
  fromSeq: number;
}

export interface LeftThread extends ThreadUpdate {
  heir: string | null;
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

  /** The copies that this lease still holds, in inbox order. */
  keysOfLease(reference: LeaseReference): Steps<CopyKey[]>;
  /** One for each id; without a row where the agent holds no copy. Throws for an id that is not a message. */
  leasedById(inbox: Inbox, ids: readonly string[]): Steps<{ id: string; row: LeasedRow | undefined }[]>;
  leasedUpTo(inbox: Inbox, seq: number): Steps<LeasedRow[]>;

  /** Moves the copies to history, with a dead letter each if there is a reason. In inbox order, a bounded number. */
  endCopies(selection: CopySelection, ending: Ending): Steps<EndedCopy[]>;
  /** Of all recipients, in their order. */
  receiptsOf(row: MessageRow, now: number): Steps<Receipt[]>;
  /** The critical thread that this message opened, if all its present members have read it and no one was told. */
  openingReadByAll(sessionId: string, seq: number): Steps<OpeningRead | undefined>;

  /** Notices that a digest may stand for, at most `limit`. */
  freeNotices(inbox: Inbox, limit: number): Steps<NoticeRow[]>;
  /** Counted over at most `limit` copies. */
  backlogByThread(inbox: Inbox, limit: number): Steps<ReadonlyMap<string, ThreadBacklog>>;
  /** These copies wait behind the digest from now on. */
  hideBehindDigest(inbox: Inbox, digest: NewDigest): Steps<void>;

  findEndedCopy(inbox: Inbox, seq: number): Steps<{ lane: number; wantsReceipt: number | null } | undefined>;
  /** They keep their attempts. What is open already, or has no reader any more, is left out. */
  reopenCopies(inbox: Inbox, copies: readonly ReopenedCopy[]): Steps<number[]>;
}

export interface FreeCopies {
  rows: CopyRow[];
  salt: number;
  /** Of the threads of these copies, in their order. */
  headersOf: (copies: readonly HandedCopy[]) => ThreadHeader[];
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

export interface NewDigest {
  seq: number;
  rows: readonly NoticeRow[];
}

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

interface HistoryStatements {
  /** In the order of the seqs; those that are not there are left out. */
  messagesOf(sessionId: string, seqs: readonly number[]): Steps<MessageRow[]>;
  /** All hits from `top` down to a floor: the given one, or where the work allowed for one call is done. */
  readWindow(query: SearchQuery, window: SearchWindow): Steps<{ hits: Hit[]; floor: number }>;
}

export interface SearchWindow {
  top: number;
  floor: number | null;
}

interface AttachmentStatements {
  /** Of the newest messages with this attachment, at most `limit`, whether one lets the reader in. */
  mayReadUse(inbox: Inbox, use: AttachmentUses): Steps<boolean>;
  mayReadMessage(row: MessageRow, reader: string): Steps<boolean>;
  attachmentPart(query: AttachmentQuery, hash: string): Steps<AttachmentPart | undefined>;
}

/** A message, by its place in the session. */
export interface MessageKey {
  sessionId: string;
  seq: number;
}

export interface AttachmentUses {
  hash: string;
  limit: number;
}

export interface AttachmentPart {
  size: number;
  media_type: string;
  part: Uint8Array;
}

export type Statements = PlainStatements &
  SessionStatements &
  SendStatements &
  ThreadStatements &
  InboxStatements &
  HistoryStatements &
  AttachmentStatements;
