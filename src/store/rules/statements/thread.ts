// What rules require of a store for threads, members and critical threads.
import type { Why } from '../../../contract/message.js';
import type { ThreadStatus } from '../../../contract/thread.js';
import type { MessageRecord, ResponsesRequest, ThreadRecord } from '../../../ports/store.js';
import type { FirstAnswer } from '../../../thread/decide-critical.js';
import type { NewCriticalThread } from '../../rows/critical-row.js';
import type { MessageRow } from '../../rows/message-row.js';
import type { Steps } from '../steps.js';
import type { InThread, Inbox } from './keys.js';

export interface ThreadStatements {
  findThread(sessionId: string, threadId: string): Steps<ThreadRecord | undefined>;
  findThreads(sessionId: string, threadIds: readonly string[]): Steps<ReadonlyMap<string, ThreadRecord>>;
  updateThreads(sessionId: string, threads: readonly ThreadUpdate[]): Steps<void>;
  /** Appended to the members, in the given order. */
  insertMembers(thread: InThread, joining: Joining): Steps<void>;
  /** The threads that the agent was in, sorted by id, each with its longest-standing remaining member. */
  leaveThreads(inbox: Inbox): Steps<LeftThread[]>;
  readThreadMessages(query: InThread & PageOfThread): Steps<{ messages: MessageRecord[]; hasMore: boolean }>;

  insertCritical(critical: NewCriticalThread): Steps<void>;
  /** As many of them as one page holds, from the first on. */
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
