// What the hub needs from a store. Every method is one transaction or one consistent read; all are asynchronous.
// `refused` results are kept decisions (a dead letter was written); everything else that fails leaves nothing behind.
import type { AgentKind } from '../contract/agent.js';
import type { ContentBlock } from '../contract/content-block.js';
import type { ErrorObject } from '../contract/errors.js';
import type { Action, CopyState, DeadReason, MessageType, Priority, Role, Why } from '../contract/message.js';
import type { NoticeKind, NotifyPrefs } from '../contract/notify.js';
import type { ThreadHeader, ThreadStatus } from '../contract/thread.js';
import type { HistoryPage, HistoryQuery, SearchPage, SearchQuery } from './history.js';

export interface AgentRecord {
  id: string;
  name: string;
  description: string;
  capabilities: string[];
  kind: AgentKind;
  owner: string;
  registeredAt: number;
  lastSeenAt: number;
}

export interface ThreadRecord {
  id: string;
  title: string;
  status: ThreadStatus;
  creator: string;
  isCritical: boolean;
  isPrivate: boolean;
  summary: string | null;
  createdAt: number;
  /** Longest member first. */
  members: string[];
  /** Members that joined later and do not see everything: the first seq they see. */
  hiddenBefore: Record<string, number>;
}

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

export interface CreateThreadPlan {
  sessionId: string;
  threadId: string;
  title: string;
  creator: string;
  isAdmin: boolean;
  participants: string[];
  isPrivate: boolean;
  /** Set for a critical thread, which has an opening. */
  critical: (CriticalTerms & { deadline: number }) | null;
  opening: SendPlan | null;
  at: number;
  key: IdempotencyKey | null;
}

export interface ThreadCreated {
  thread: ThreadRecord;
  unknownParticipants: string[];
  opening: Appended | null;
  notices: Appended[];
  duplicate: boolean;
}

/** What makes the wait for a critical thread's responses complete. */
export interface CriticalTerms {
  wanted: number;
  required: string[];
}

export interface CriticalStanding {
  /** Whose answers count, in order. */
  counted: string[];
  complete: boolean;
  /** Who has not answered: of those required, or else of those who may. */
  missing: string[];
  /** Why it will not become complete. */
  reason: 'closed' | 'impossible' | null;
}

export interface ResponsesRequest {
  sessionId: string;
  threadId: string;
  reader: string;
  isAdmin: boolean;
  /** Null: as at the opening. */
  wanted: number | null;
  required: string[] | null;
  /** Take what there is, also when it is not complete. */
  isLast: boolean;
  /** No more are taken than this, the first ones; null for all. */
  responsesMax: number | null;
  token: string;
  isManual: boolean;
  now: number;
  monotonicNow: number;
  leaseMs: number;
}

export interface TakenResponse {
  message: MessageRecord;
  /** The reader's own copy, where it was free: leased with the response. */
  copy: { key: CopyKey; why: Why } | null;
  /** It was handed to the reader before. */
  redelivered: boolean;
}

export interface Responses {
  thread: ThreadRecord;
  openingId: string;
  deadline: number;
  terms: CriticalTerms;
  standing: CriticalStanding;
  /** Null while the wait should go on. */
  taken: { responses: TakenResponse[]; unread: number } | null;
}

export type ThreadChange =
  | { kind: 'join' }
  | { kind: 'leave' }
  | { kind: 'add'; participantId: string }
  | { kind: 'remove'; participantId: string }
  | { kind: 'close'; summary: string }
  | { kind: 'reopen' };

export interface ChangeThreadPlan {
  sessionId: string;
  threadId: string;
  change: ThreadChange;
  by: string;
  isAdmin: boolean;
  at: number;
}

export interface ThreadChanged {
  thread: ThreadRecord;
  result: string;
  notices: Appended[];
  /** Copies that ended because their reader left the thread. */
  deadLettered: number;
}

/** One copy's place in its reader's inbox. Never changes while the copy lives. */
export interface CopyKey {
  lane: number;
  rank: number;
  seq: number;
}

export interface HandedCopy {
  key: CopyKey;
  message: MessageRecord;
  why: Why;
  redelivered: boolean;
  attempt: number;
}

/** Copies for a reader, and once each the threads they belong to. */
export interface HandedCopies {
  copies: HandedCopy[];
  hasMore: boolean;
  threads: ThreadHeader[];
}

export interface InboxFilter {
  /** Only mail that wakes; plain thread posts stay. */
  wakingOnly: boolean;
  from?: string;
  threadId?: string;
  target?: string;
  type?: MessageType;
  priority?: Priority;
}

export interface LeaseRequest {
  sessionId: string;
  agentId: string;
  filter: InboxFilter;
  limit: number;
  token: string;
  isManual: boolean;
  now: number;
  monotonicNow: number;
  leaseMs: number;
  /** What the answer may cost its reader: copies beyond it are left for the next call. Null for programs. */
  tokensMax: number | null;
}

export interface PeekRequest {
  sessionId: string;
  agentId: string;
  filter: InboxFilter;
  limit: number;
  after: CopyKey | null;
  now: number;
}

export interface LeasedCopies {
  sessionId: string;
  agentId: string;
  token: string;
  keys: CopyKey[];
}

/** A lease known only by its token, from a cursor. */
export interface LeaseReference {
  sessionId: string;
  agentId: string;
  token: string;
  count: number;
  rank: number;
  seq: number;
}

export interface Receipt {
  recipient: string;
  state: CopyState;
  at: number;
  attempts: number;
  deliveredAt: number | null;
  /** Of a critical thread's opening: when the recipient first answered. */
  answeredAt: number | null;
  reason: DeadReason | null;
}

/** A list of agents under one name. */
export interface GroupRecord {
  name: string;
  members: string[];
  /** Those of them that no agent is registered as. */
  unknownMembers: string[];
}

export interface DeadLetterRecord {
  /** Never used again. */
  number: number;
  recipient: string;
  reason: DeadReason;
  at: number;
  message: MessageRecord;
}

export interface Tallies {
  pending: number;
  delivered: number;
  messages: number;
  agents: number;
  threads: number;
}

/** A delivery that came back to the inbox, or ended, so that waits and counters can follow. */
export interface Returned {
  sessionId: string;
  agentId: string;
}

export interface ReapResult {
  expired: number;
  deadLettered: number;
  returned: Returned[];
  /** There was more than one step takes. */
  hasMore: boolean;
}

export interface Store {
  appendMessage(plan: SendPlan): Promise<AppendResult>;
  createThread(plan: CreateThreadPlan): Promise<ThreadCreated>;
  changeThread(plan: ChangeThreadPlan): Promise<ThreadChanged>;

  registerAgent(plan: {
    sessionId: string;
    id: string;
    name: string | null;
    description: string | null;
    capabilities: string[] | null;
    owner: string;
    at: number;
    /** True for a connection's first call: leaves an existing entry as it is. */
    onlyIfMissing: boolean;
  }): Promise<{ agent: AgentRecord; isNew: boolean }>;
  removeAgent(plan: {
    sessionId: string;
    id: string;
    at: number;
  }): Promise<{ leftThreads: string[]; deadLettered: number }>;
  findAgent(query: { sessionId: string; id: string }): Promise<AgentRecord | null>;
  listAgents(query: {
    sessionId: string;
    group: string | null;
    now: number;
  }): Promise<(AgentRecord & { unread: number })[]>;
  /** Who was seen since then, in every session: read once, at start. */
  recentlySeen(query: { since: number }): Promise<{ sessionId: string; id: string; at: number }[]>;
  noteSeen(seen: { sessionId: string; id: string; at: number }[]): Promise<void>;

  /** `all` first, then by name. */
  listGroups(query: { sessionId: string; now: number }): Promise<GroupRecord[]>;
  /** All of them or none. */
  setGroups(plan: {
    sessionId: string;
    groups: { name: string; members: string[] }[];
    at: number;
  }): Promise<GroupRecord[]>;
  removeGroup(plan: { sessionId: string; name: string }): Promise<void>;

  /** Takes unread copies for a reader, in inbox order. `hasMore` says that others were left. */
  leaseCopies(request: LeaseRequest): Promise<HandedCopies & { unread: number }>;
  peekCopies(request: PeekRequest): Promise<HandedCopies>;
  recentCopies(query: {
    sessionId: string;
    agentId: string;
    limit: number;
  }): Promise<HandedCopies & { states: CopyState[] }>;
  /** The reader has them. Only the current token counts. Returns the seqs that became read. */
  confirmLease(lease: LeasedCopies & { at: number }): Promise<number[]>;
  /** They come again in their old place. `unsent` gives the attempt back: no byte left the hub. */
  releaseLease(lease: LeasedCopies & { unsent: boolean }): Promise<number[]>;
  /** Takes `read` back: the caller cancelled and never saw the answer. */
  reopenCopies(lease: LeasedCopies & { at: number }): Promise<number[]>;
  findLease(reference: LeaseReference): Promise<{ lease: LeasedCopies; ids: string[] }>;
  findLeased(query: { sessionId: string; agentId: string; ids: string[] | null; upTo: number | null }): Promise<{
    leases: LeasedCopies[];
    ids: string[];
    notFound: string[];
  }>;
  /** The places of copies this agent has read, by message id; others are left out. */
  findRead(query: { sessionId: string; agentId: string; ids: string[] }): Promise<{ keys: CopyKey[]; ids: string[] }>;
  countUnread(query: { sessionId: string; agentId: string }): Promise<number>;
  receipts(query: {
    sessionId: string;
    messageId: string;
    now: number;
  }): Promise<{ message: MessageRecord; deliveries: Receipt[] } | null>;
  /** Newest first. */
  deadLetters(query: {
    sessionId: string;
    limit: number;
    before: number | null;
  }): Promise<{ deadLetters: DeadLetterRecord[]; hasMore: boolean }>;
  /** Opens the ended copy again; the letter leaves the list. */
  replayDeadLetter(plan: {
    sessionId: string;
    number: number;
    now: number;
  }): Promise<{ letter: DeadLetterRecord; isWaking: boolean }>;
  discardDeadLetter(plan: { sessionId: string; number: number }): Promise<DeadLetterRecord>;
  /** Receipts of a critical thread's opening; null for any other thread. */
  openingReceipts(query: { sessionId: string; threadId: string; now: number }): Promise<Receipt[] | null>;
  /** Counts a critical thread's responses; once they are all there, or at the last read, takes the reader's copies of them. */
  takeResponses(request: ResponsesRequest): Promise<Responses>;
  /** Ends what is past its time and takes back leases that ran out. */
  reap(time: { now: number; monotonicNow: number; runOutsMax: number }): Promise<ReapResult>;

  /** Only the fields given change. */
  setNotifyPrefs(plan: {
    sessionId: string;
    agentId: string;
    changes: { [Name in keyof NotifyPrefs]?: NotifyPrefs[Name] | undefined };
  }): Promise<NotifyPrefs>;
  readNotifyPrefs(query: { sessionId: string; agentId: string }): Promise<NotifyPrefs>;
  /** Null brings the default back. */
  setNotifyTemplate(plan: { sessionId: string; name: NoticeKind; text: string | null; at: number }): Promise<void>;
  readNotifyTemplates(query: { sessionId: string }): Promise<{ [Kind in NoticeKind]?: string }>;

  readThread(query: { sessionId: string; threadId: string }): Promise<ThreadRecord | null>;
  listThreads(query: {
    sessionId: string;
    reader: string | null;
    seesPrivate: boolean;
    status: ThreadStatus | null;
    participant: string | null;
    limit: number;
    after: (string | number)[] | null;
  }): Promise<{ threads: (ThreadRecord & { unread: number })[]; after: (string | number)[] | null }>;
  readThreadMessages(query: {
    sessionId: string;
    threadId: string;
    afterSeq: number | null;
    beforeSeq: number | null;
    /** Nothing before it is shown. */
    fromSeq: number;
    limit: number;
  }): Promise<{ messages: MessageRecord[]; hasMore: boolean }>;
  /** Stored messages, newest first. One call looks at a bounded number of them; `before` says where to go on. */
  queryHistory(query: HistoryQuery): Promise<HistoryPage>;
  /** Messages with these words, best first within a bounded stretch of the newest; `next` says where to go on. */
  searchMessages(query: SearchQuery): Promise<SearchPage>;
  readAttachment(query: AttachmentQuery): Promise<AttachmentFound>;
  /** Those of the first hashes that are together no larger than `bytesMax`; who may read them has been asked before. */
  readAttachments(query: { sessionId: string; hashes: string[]; bytesMax: number }): Promise<AttachmentData[]>;
  /** A session's messages in order: what a live follower pages by. */
  readFeed(query: { sessionId: string; afterSeq: number; limit: number }): Promise<MessageRecord[]>;
  lastSeq(query: { sessionId: string }): Promise<number>;
  seqOf(query: { sessionId: string; messageId: string }): Promise<number | null>;

  tallies(): Promise<Tallies>;
  close(): Promise<void>;
}
