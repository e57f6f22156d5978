// What rules require of a store: statements and the parsing of rows, without decisions. Both stores implement all of it and
// hide what only they need: locks, versions, caches.
import type { WeighedRow } from '../rows/rows-within.js';
import type { HistoryStatements, AttachmentStatements } from './statements/history.js';
import type { InboxStatements } from './statements/inbox.js';
import type { SendStatements } from './statements/send.js';
import type { SessionStatements } from './statements/session.js';
import type { ThreadStatements } from './statements/thread.js';
import type { TransferStatements } from './statements/transfer.js';
import type { Steps } from './steps.js';

export type * from './statements/history.js';
export type * from './statements/inbox.js';
export type * from './statements/keys.js';
export type * from './statements/send.js';
export type * from './statements/session.js';
export type * from './statements/thread.js';
export type * from './statements/transfer.js';

/** Which of the facts that sends depend on changed. */
export type ChangedFacts = { agentId: string } | { threadId: string } | 'threads' | 'groups' | 'notify';

type SqlParameter = string | number | null;

export interface PageQuery {
  values: readonly SqlParameter[];
  /** The order of the rows, of `q`: `q.seq desc`. */
  order: string;
}

/** For SQL that is the same in both databases, with `?` as placeholder. */
interface PlainStatements {
  get<Row extends object>(sql: string, values: readonly SqlParameter[]): Steps<Row | undefined>;
  all<Row extends object>(sql: string, values: readonly SqlParameter[]): Steps<Row[]>;
  /** Of rows with a message's columns: those that fit in a page and one more, which shows that there are others. */
  page<Row extends WeighedRow>(sql: string, query: PageQuery): Steps<Row[]>;
  /** Returns how many rows changed. */
  run(sql: string, values: readonly SqlParameter[]): Steps<number>;
  /** The time that hubs agree on: the database's, or with one hub its own. */
  sharedTime(hubMs: number): Steps<number>;
  /** Invalidates the cached facts. Call it before writing them. */
  factsChange(sessionId: string, changed: ChangedFacts): Steps<void>;
}

export type Statements = PlainStatements &
  SessionStatements &
  SendStatements &
  ThreadStatements &
  InboxStatements &
  HistoryStatements &
  AttachmentStatements &
  TransferStatements;
