// What rules require of a store for copies: how they are leased, ended and reopened.
import type { ThreadHeader } from '../../../contract/thread.js';
import type { ThreadBacklog } from '../../../notify/digest.js';
import type {
  CopyKey,
  HandedCopy,
  LeaseReference,
  LeaseRequest,
  LeasedCopies,
  PeekRequest,
  Receipt,
} from '../../../ports/store.js';
import type { CopyRow } from '../../rows/copy-row.js';
import type { Filed } from '../../rows/filed-ranges.js';
import type { LeasedRow } from '../../rows/leased-copies.js';
import type { MessageRow } from '../../rows/message-row.js';
import type { NoticeRow } from '../../rows/notice-row.js';
import type { EndedCopy, Ending } from '../end-copies.js';
import type { Steps } from '../steps.js';
import type { Inbox } from './keys.js';

export interface InboxStatements {
  /** `lock` waits for copies that another transaction has locked: it may lease fewer, and order is promised. */
  freeCopies(query: FreeQuery, hold: 'none' | 'lock'): Steps<FreeCopies>;
  /** The seqs that were still free, and the unread count afterwards. Counts the attempt in the same statement. */
  leaseKeys(lease: NewLease, keys: readonly CopyKey[]): Steps<{ seqs: number[]; unread: number }>;

  /** Gives copies the columns of their messages, by which filters find them. `from` and `to` are seqs, both included. */
  fileCopies(inbox: Inbox, range: { from: number; to: number }): Steps<void>;

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
  /** Replaces the ended copy of a group by a pending one for each member: they are the message's recipients from now on. */
  divideCopy(group: Inbox, copy: ReopenedCopy, members: readonly string[]): Steps<void>;
}

/** `filed` is null where the inbox may be read from its beginning. */
export type FreeQuery = PeekRequest & { filed: Filed | null };

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

/** Which copies end: those of a lease, of an inbox up to a seq, of an inbox in one thread, or those hidden behind a digest. */
export type CopySelection =
  | { kind: 'lease'; lease: LeasedCopies }
  | { kind: 'inbox'; inbox: Inbox; upTo: number; limit: number }
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
