// What the hub needs from a store. Every method is one transaction or one consistent read; all are asynchronous.
// A `refused` result is committed: a dead letter was written. Every other failure leaves the store unchanged.
import type { AgentKind } from '../contract/agent.js';
import type { CopyState, DeadReason } from '../contract/message.js';
import type { NoticeKind, NotifyPrefs } from '../contract/notify.js';
import type { ThreadStatus } from '../contract/thread.js';
import type {
  CopyKey,
  HandedCopies,
  InboxName,
  LeaseReference,
  LeaseRequest,
  LeasedCopies,
  PeekRequest,
  Receipt,
  TakenCopies,
  WaitReference,
} from './copies.js';
import type { AuditEntry, AuditQuery, AuditRecord } from './audit.js';
import type { DeviceStore, NewSignIn } from './devices.js';
import type { ChannelStore } from './channels.js';
import type { CreateKeyPlan, KeyLookup, KeyRecord, KeyState, ObserverLinkPlan, RotateKeyPlan } from './keys.js';
import type {
  ActiveThread,
  Activity,
  ActivityQuery,
  FeedPage,
  FeedQuery,
  HistoryPage,
  HistoryQuery,
  SearchPage,
  SearchQuery,
} from './history.js';
import type { SessionStore } from './sessions.js';
import type { SignalKeyStore } from './signal-keys.js';
import type { SignalStore } from './signal.js';
import type { WakeStore } from './wake.js';
import type { TransferStore } from './transfer.js';
import type {
  AppendResult,
  AttachmentData,
  AttachmentFound,
  AttachmentQuery,
  MessageRecord,
  SendPlan,
} from './messages.js';
import type {
  ChangeThreadPlan,
  CreateThreadPlan,
  Responses,
  ResponsesRequest,
  ThreadChanged,
  ThreadCreated,
  ThreadRecord,
} from './threads.js';

export type * from './audit.js';
export type * from './channels.js';
export type * from './copies.js';
export type * from './devices.js';
export type * from './keys.js';
export type * from './messages.js';
export type * from './sessions.js';
export type * from './threads.js';

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

/** A named list of agents. */
export interface GroupRecord {
  name: string;
  members: string[];
  /** Members that are not registered agents. */
  unknownMembers: string[];
}

export interface DeadLetterRecord {
  /** Unique; never reused. */
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

/** A reader whose copies went back to its inbox: its waits must read again. */
export interface Returned {
  sessionId: string;
  agentId: string;
}

export interface ReapResult {
  expired: number;
  deadLettered: number;
  returned: Returned[];
  /** One step did not take everything: call again. */
  hasMore: boolean;
}

export interface Store
  extends SessionStore, SignalStore, DeviceStore, ChannelStore, SignalKeyStore, WakeStore, TransferStore {
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
    /** True for a connection's first call: an existing entry is not changed. */
    onlyIfMissing: boolean;
  }): Promise<{ agent: AgentRecord; isNew: boolean }>;
  removeAgent(plan: {
    sessionId: string;
    id: string;
    at: number;
    /** Null: the agent removes itself. */
    audit: AuditEntry | null;
  }): Promise<{ leftThreads: string[]; deadLettered: number; hasMore: boolean }>;
  /** One step of ending the copies of a removed agent, after a `removeAgent` with `hasMore`. */
  endRemovedInbox(inbox: { sessionId: string; agentId: string }): Promise<{ hasMore: boolean }>;
  /** Of agents whose removal was interrupted. */
  removedInboxes(): Promise<{ sessionId: string; agentId: string }[]>;
  findAgent(query: { sessionId: string; id: string }): Promise<AgentRecord | null>;
  agentKinds(query: { sessionId: string; ids: readonly string[] }): Promise<[id: string, kind: AgentKind][]>;
  listAgents(query: {
    sessionId: string;
    group: string | null;
    now: number;
  }): Promise<(AgentRecord & { unread: number; oldestUnreadAt: number | null })[]>;
  /** Agents seen since then, in every session: read once, at start. */
  recentlySeen(query: { since: number }): Promise<{ sessionId: string; id: string; at: number }[]>;
  noteSeen(seen: { sessionId: string; id: string; at: number }[]): Promise<void>;

  /** `all` first, then by name. */
  listGroups(query: { sessionId: string; now: number }): Promise<GroupRecord[]>;
  /** Sets all of the groups, or none. */
  setGroups(plan: {
    sessionId: string;
    groups: { name: string; members: string[] }[];
    at: number;
    /** Null: the groups of the config file. */
    audit: AuditEntry | null;
  }): Promise<GroupRecord[]>;
  removeGroup(plan: { sessionId: string; name: string; audit: AuditEntry }): Promise<void>;

  /** Leases unread copies to a reader, in inbox order. `hasMore`: others were left. */
  leaseCopies(request: LeaseRequest): Promise<TakenCopies>;
  /**
   * The wait has ended without its last read: it is kept no longer. Copies that were handed to it and that this hub has not
   * seen yet are returned as never sent; the result says whether there were any.
   */
  endWait(wait: WaitReference): Promise<boolean>;
  /** `mustFile`: a filtered read of a deep inbox needs `fileCopies` first. */
  peekCopies(request: PeekRequest): Promise<HandedCopies & { mustFile?: true }>;
  /** One step of filing the copies of an inbox, by which filters find them: how many were filed. Changes no result. */
  fileCopies(inbox: { sessionId: string; agentId: string }): Promise<{ count: number; hasMore: boolean }>;
  /** Looks at the next `limit` agents of all sessions. `last`: the look goes on after this one; null: there are no more. */
  inboxesToFile(query: { after: InboxName | null; limit: number }): Promise<{
    inboxes: InboxName[];
    last: InboxName | null;
  }>;
  /** Of the newest `horizon` copies those before that seq, at most `limit`, oldest first. `hasMore`: there are older ones. */
  recentCopies(query: {
    sessionId: string;
    agentId: string;
    horizon: number;
    before: number | null;
    limit: number;
  }): Promise<HandedCopies & { states: CopyState[] }>;
  /** Marks the copies read, if the token is still current. Returns the seqs that became read. */
  confirmLease(lease: LeasedCopies & { at: number }): Promise<number[]>;
  /**
   * Returns the copies to their old inbox positions. `unsent`: no byte left the hub; the attempt does not count, if the
   * store knows that it was the inbox's last lease. Only then do they come again unmarked.
   */
  releaseLease(lease: LeasedCopies & { unsent: boolean }): Promise<number[]>;
  /** Makes read copies pending again: the caller cancelled and never saw the answer. */
  reopenCopies(lease: LeasedCopies & { at: number }): Promise<number[]>;
  findLease(reference: LeaseReference): Promise<{ lease: LeasedCopies; ids: string[] }>;
  findLeased(query: { sessionId: string; agentId: string; ids: string[] | null; upTo: number | null }): Promise<{
    leases: LeasedCopies[];
    ids: string[];
    notFound: string[];
  }>;
  /** The keys of copies this agent has read, by message id; others are left out. */
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
  /** Makes the ended copy pending again, or one for each member of a group, and removes the dead letter. */
  replayDeadLetter(plan: {
    sessionId: string;
    number: number;
    now: number;
    audit: AuditEntry;
  }): Promise<{ letter: DeadLetterRecord; recipients: string[]; isWaking: boolean }>;
  discardDeadLetter(plan: { sessionId: string; number: number; audit: AuditEntry }): Promise<DeadLetterRecord>;
  /** Receipts of a critical thread's opening; null for any other thread. */
  openingReceipts(query: { sessionId: string; threadId: string; now: number }): Promise<Receipt[] | null>;
  /** Those of the threads in which the agent's answer is awaited: by whom, and until when. */
  awaitedAnswers(query: {
    sessionId: string;
    agentId: string;
    threadIds: string[];
    now: number;
  }): Promise<{ threadId: string; by: string; until: number }[]>;
  /** Counts a critical thread's responses; once complete, or at the last read, leases the reader's copies of them. */
  takeResponses(request: ResponsesRequest): Promise<Responses>;
  /** Ends expired copies and returns copies whose lease expired. */
  reap(time: { now: number; monotonicNow: number; runOutsMax: number }): Promise<ReapResult>;

  /** Changes only the fields that are given. */
  setNotifyPrefs(plan: {
    sessionId: string;
    agentId: string;
    changes: { [Name in keyof NotifyPrefs]?: NotifyPrefs[Name] | undefined };
    audit: AuditEntry | null;
  }): Promise<NotifyPrefs>;
  readNotifyPrefs(query: { sessionId: string; agentId: string }): Promise<NotifyPrefs>;
  /** Null restores the default. */
  setNotifyTemplate(plan: {
    sessionId: string;
    name: NoticeKind;
    text: string | null;
    at: number;
    audit: AuditEntry;
  }): Promise<void>;
  readNotifyTemplates(query: { sessionId: string }): Promise<{ [Kind in NoticeKind]?: string }>;

  /** By its id, or by its title if the reader is in exactly one open thread of that title; throws if in several. */
  readThread(query: { sessionId: string; threadId: string; reader: string | null }): Promise<ThreadRecord | null>;
  /** Ids of the open threads of that title that the agent is in. */
  threadsTitled(query: { sessionId: string; agentId: string; title: string }): Promise<string[]>;
  listThreads(query: {
    sessionId: string;
    reader: string | null;
    seesPrivate: boolean;
    status: ThreadStatus | null;
    participant: string | null;
    /** Only these, if given. */
    ids?: readonly string[];
    limit: number;
    after: (string | number)[] | null;
  }): Promise<{ threads: (ThreadRecord & { unread: number })[]; after: (string | number)[] | null }>;
  /** The threads of a bounded number of the newest messages, the last active first, each once. Mere labels among them. */
  activeThreads(query: { sessionId: string }): Promise<ActiveThread[]>;
  readThreadMessages(query: {
    sessionId: string;
    threadId: string;
    afterSeq: number | null;
    beforeSeq: number | null;
    /** Earlier messages are not visible to the reader. */
    fromSeq: number;
    limit: number;
  }): Promise<{ messages: MessageRecord[]; hasMore: boolean }>;
  /** Stored messages, newest first. One call reads a bounded number of them; `before` is where the next call starts. */
  queryHistory(query: HistoryQuery): Promise<HistoryPage>;
  /** Messages with these terms, best first within a bounded window of the newest; `next` is where the next call starts. */
  searchMessages(query: SearchQuery): Promise<SearchPage>;
  readAttachment(query: AttachmentQuery): Promise<AttachmentFound>;
  /** The first of the hashes that together fit in `bytesMax`. The caller has checked who may read them. */
  readAttachments(query: { sessionId: string; hashes: string[]; bytesMax: number }): Promise<AttachmentData[]>;
  /** Counts a bounded number of the newest messages. */
  readActivity(query: ActivityQuery): Promise<Activity>;
  readFeed(query: FeedQuery): Promise<FeedPage>;
  lastSeq(query: { sessionId: string }): Promise<number>;
  seqOf(query: { sessionId: string; messageId: string }): Promise<number | null>;

  /** Ends open mode, if it is the first key. */
  createKey(plan: CreateKeyPlan): Promise<KeyRecord>;
  createObserverLink(plan: ObserverLinkPlan): Promise<KeyRecord>;
  /** Null if the link is unknown, used or over, its key has ended, or the claim is wrong: then it has lost one of its tries. */
  redeemObserverLink(plan: {
    id: string;
    claimHash: string;
    signIn: Omit<NewSignIn, 'expiresAt'>;
    at: number;
    address: string;
  }): Promise<{ key: KeyRecord; expiresAt: number } | null>;
  /** A browser's sign-in with the rights of a key, which ends with it. Null if the key has ended. */
  signInWithKey(plan: { keyId: string; signIn: NewSignIn; at: number; audit: AuditEntry }): Promise<KeyRecord | null>;
  rotateKey(plan: RotateKeyPlan): Promise<{ key: KeyRecord; replaced: KeyRecord }>;
  /** `sessionId` null: a key of any session. A key that is revoked already stays as it is. */
  revokeKey(plan: {
    sessionId: string | null;
    id: string;
    at: number;
    audit: Omit<AuditEntry, 'sessionId'>;
  }): Promise<KeyRecord>;
  /** Newest first; `sessionId` null: of every session. */
  listKeys(query: {
    sessionId: string | null;
    limit: number;
    before: (string | number)[] | null;
  }): Promise<{ keys: KeyRecord[]; before: (string | number)[] | null }>;
  findKey(query: { id: string }): Promise<KeyLookup | null>;
  keyState(): Promise<KeyState>;
  noteKeysUsed(used: { id: string; at: number }[]): Promise<void>;
  /** Registers a person, and the session if it is missing. */
  addPerson(plan: {
    sessionId: string;
    id: string;
    name: string | null;
    at: number;
    /** Not in `all` before its first call. */
    isUnseen?: boolean;
    /** Null: the local person of open mode. */
    audit: AuditEntry | null;
  }): Promise<{ agent: AgentRecord; isNew: boolean }>;

  /** For reads; a change stores its entry in its own transaction. */
  appendAudit(entry: AuditEntry): Promise<void>;
  /** Removes the oldest entries from before then, in every session; a session's log says how many it lost. */
  pruneAudit(plan: { at: number; before: number; limit: number }): Promise<{ removed: number; hasMore: boolean }>;
  /** Newest first, of the newest entries up to `auditExamined`. `next`: the rest are before this id; null at the end. */
  listAudit(query: AuditQuery): Promise<{ entries: AuditRecord[]; next: number | null }>;

  tallies(): Promise<Tallies>;
  close(): Promise<void>;
}
