// What rules require of a store: statements and the parsing of rows, without decisions. Both stores implement all of it and
// hide what only they need: locks, versions, caches.
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

/** What a send needs to know about an agent. */
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

/** Which of the facts that sends depend on changed. */
export type ChangedFacts = { agentId: string } | { threadId: string } | 'groups' | 'notify';

type SqlParameter = string | number | null;

/** For SQL that is the same in both databases, with `?` as placeholder. */
interface PlainStatements {
  get<Row extends object>(sql: string, values: readonly SqlParameter[]): Steps<Row | undefined>;
  all<Row extends object>(sql: string, values: readonly SqlParameter[]): Steps<Row[]>;
  /** Returns how many rows changed. */
  run(sql: string, values: readonly SqlParameter[]): Steps<number>;
  /** Invalidates the cached facts. Call it before writing them. */
  factsChange(sessionId: string, changed: ChangedFacts): Steps<void>;
}

interface SessionStatements {
  /** Undefined until its first use has created it. */
  findSession(sessionId: string): Steps<{ salt: number } | undefined>;
  countSessions(): Steps<number>;
  insertSession(sessionId: string, options: NewSession): Steps<void>;
  /** The seq of the session's newest message; 0 when it has none. */
  lastSeqOf(sessionId: string): Steps<number>;
  /** Requires the session's order lock: for writing messages, and for reads that must still hold at the commit. */
  requireOrder(sessionId: string): Steps<void>;

  /** Only of registered agents. */
  agentFacts(sessionId: string, ids: readonly string[]): Steps<ReadonlyMap<string, AgentFacts>>;
  insertAgent(sessionId: string, agent: NewAgent): Steps<AgentRecord>;
  updateAgent(sessionId: string, change: ProfileChange): Steps<AgentRecord>;
  /** Sorted by id; all agents when `ids` is null. */
  listAgentRows(sessionId: string, ids: readonly string[] | null): Steps<ListedAgent[]>;

  /** The stored list, including ids that are not registered. */
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
  /** Appended to the members, in the given order. */
  insertMembers(thread: InThread, joining: Joining): Steps<void>;
  /** The threads that the agent was in, sorted by id, each with its longest-standing remaining member. */
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

/** A response with the reader's own copy, if any. `attempts` is also set for an ended copy. */
export type ResponseRow = MessageRow & {
  lane: number | null;
  why: Why | null;
  isFree: boolean | null;
  attempts: number | null;
};

interface InboxStatements {
  /** Locks the copies. `wait` waits for those that another transaction has locked; `skip` leaves them out. */
  freeCopies(query: PeekRequest, hold: 'skip' | 'wait'): Steps<FreeCopies>;
  /** When `skip` found none: whether free copies exist that another transaction has locked; and the unread count. */
  recheckFree(query: Omit<PeekRequest, 'limit'>): Steps<{ hasFree: boolean; unread: number }>;
  /** The seqs that were still free, and the unread count afterwards. Counts the attempt in the same statement. */
  leaseKeys(lease: NewLease, keys: readonly CopyKey[]): Steps<{ seqs: number[]; unread: number }>;

  /** The copies still held by this lease, in inbox order. */
  keysOfLease(reference: LeaseReference): Steps<CopyKey[]>;
  /** One entry per id; without a row if the agent holds no leased copy. Throws for an id that is not a message. */
  leasedById(inbox: Inbox, ids: readonly string[]): Steps<{ id: string; row: LeasedRow | undefined }[]>;
  leasedUpTo(inbox: Inbox, seq: number): Steps<LeasedRow[]>;

  /** Moves copies to history, with a dead letter each if there is a reason. In inbox order, at most `endedPerStep`. */
  endCopies(selection: CopySelection, ending: Ending): Steps<EndedCopy[]>;
  /** Of all recipients, in the order of the message. */
  receiptsOf(row: MessageRow, now: number): Steps<Receipt[]>;
  /** The critical thread that this message opened, if all its current members have read it and this was not reported yet. */
  openingReadByAll(sessionId: string, seq: number): Steps<OpeningRead | undefined>;

  /** Notices that a digest may replace, at most `limit`. */
  freeNotices(inbox: Inbox, limit: number): Steps<NoticeRow[]>;
  /** Counted over at most `limit` copies. */
  backlogByThread(inbox: Inbox, limit: number): Steps<ReadonlyMap<string, ThreadBacklog>>;
  /** The inbox no longer shows these copies; they end with the digest. */
  hideBehindDigest(inbox: Inbox, digest: NewDigest): Steps<void>;

  findEndedCopy(inbox: Inbox, seq: number): Steps<{ lane: number; wantsReceipt: number | null } | undefined>;
  /** They keep their attempts. Copies that are already open or whose reader is removed are skipped. */
  reopenCopies(inbox: Inbox, copies: readonly ReopenedCopy[]): Steps<number[]>;
}

export interface FreeCopies {
  rows: CopyRow[];
  salt: number;
  /** Of the threads of these copies, in the same order. */
  headersOf: (copies: readonly HandedCopy[]) => ThreadHeader[];
}

export type NewLease = Pick<
  LeaseRequest,
  'sessionId' | 'agentId' | 'token' | 'isManual' | 'now' | 'monotonicNow' | 'leaseMs'
>;

/** Which copies end: those of a lease, of an inbox, of an inbox in one thread, or those hidden behind a digest. */
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
  /** In the order of the seqs; missing ones are left out. */
  messagesOf(sessionId: string, seqs: readonly number[]): Steps<MessageRow[]>;
  /** All hits from `top` down to a floor: the given one, or where the work limit of one call is reached. */
  readWindow(query: SearchQuery, window: SearchWindow): Steps<{ hits: Hit[]; floor: number }>;
}

export interface SearchWindow {
  top: number;
  floor: number | null;
}

interface AttachmentStatements {
  /** Whether the reader may read one of the newest `limit` messages with this attachment. */
  mayReadUse(inbox: Inbox, use: AttachmentUses): Steps<boolean>;
  mayReadMessage(row: MessageRow, reader: string): Steps<boolean>;
  attachmentPart(query: AttachmentQuery, hash: string): Steps<AttachmentPart | undefined>;
}

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
