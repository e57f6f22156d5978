// Exporting and importing a session, as the store sees it.
import type { Line, StateKind } from '../contract/transfer/lines.js';
import type { AuditEntry } from './audit.js';

export type Position = readonly (string | number)[];

export interface ExportedMessage {
  message: Line<'message'>;
  copies: Line<'copy'>[];
  /** Of which it is the first user. */
  attachments: { hash: string; mediaType: string }[];
}

export interface StateQuery {
  sessionId: string;
  kind: StateKind;
  after: Position | null;
  /** What points past this message is left out. */
  lastSeq: number;
  now: number;
  limit: number;
}

/** The lines so far: how many, of which kinds, and their hash. */
export interface Chain {
  lines: number;
  sha256: string;
  counts: Record<string, number>;
}

/** What the reader of an import must know of the lines before. */
export interface ImportProgress {
  chain: Chain;
  /** Null before the header. */
  sessionId: string | null;
  lastSeq: number;
  /** The place of the last line's kind in the order of the file. */
  place: number;
  /** The key of the last line of a kind that is sorted. */
  key: (string | number)[] | null;
  /** The last message, and the recipients whose copies have not come yet. */
  message: { seq: number; missing: string[] } | null;
  isEnded: boolean;
}

/** An import that has begun. */
export interface StagedImport {
  parts: number;
  bytes: number;
  /** The session that it will become. */
  target: string;
  progress: ImportProgress;
}

export interface StagePlan {
  /** The session of the caller. */
  sessionId: string;
  importId: string;
  part: number;
  target: string;
  at: number;
  progress: ImportProgress;
  lines: string;
}

/** An import whose rows are being inserted, and when its step is made. */
export interface ImportRun {
  /** The new session. */
  sessionId: string;
  importId: string;
  at: number;
}

export interface BeginImportPlan extends ImportRun {
  /** The session of the caller. */
  from: string;
  /** Whose admins administer it; null in open mode. */
  createdBySession: string | null;
}

export interface InsertImportPlan extends ImportRun {
  lines: string[];
  /** The owner of the imported agents. */
  owner: string;
  /** Of the new session: message ids are derived from it. */
  salt: number;
}

/** What was imported is looked through in passes. `after`: the key of the last row. */
export interface ReviewPlace {
  pass: number;
  after: Position | null;
}

export interface CompleteImportPlan extends ImportRun {
  session: Line<'session'>;
  createdBySession: string | null;
  audit: AuditEntry;
}

export interface TransferStore {
  /** Null if there is no such session. */
  exportHead(query: { sessionId: string }): Promise<{ session: Line<'session'>; lastSeq: number } | null>;
  /** Each with its copies, in order. */
  exportMessages(query: {
    sessionId: string;
    after: number;
    lastSeq: number;
    limit: number;
  }): Promise<{ messages: ExportedMessage[]; hasMore: boolean }>;
  /** The next lines of one kind; `after` is null at the end. */
  exportState(query: StateQuery): Promise<{ lines: Line[]; after: Position | null }>;
  findImport(query: { sessionId: string; importId: string }): Promise<StagedImport | null>;
  /** Keeps lines that were checked until the import is finished or given up. */
  stageImport(plan: StagePlan): Promise<StagedImport>;
  /** The lines of a part; null if its time was over. */
  importPart(query: { sessionId: string; importId: string; part: number }): Promise<string | null>;
  /** Takes the name. `isLeft`: call `clearImport` until it has no more. */
  beginImport(plan: BeginImportPlan): Promise<{ parts: number; isLeft: boolean }>;
  /** Nobody can use the session before `completeImport`. */
  insertImported(plan: InsertImportPlan): Promise<void>;
  /** Checks the next rows; null at the end. */
  reviewImported(plan: ImportRun & { place: ReviewPlace }): Promise<ReviewPlace | null>;
  completeImport(plan: CompleteImportPlan): Promise<void>;
  /** One step of deleting what was inserted. */
  clearImport(run: ImportRun & { keepsName: boolean }): Promise<{ hasMore: boolean }>;
  /** The sessions of imports that have made no step for long; `importId` may clear them now. */
  takeLeftImports(plan: { importId: string; now: number }): Promise<string[]>;
  isBeingImported(query: { sessionId: string }): Promise<boolean>;
  /** One step of deleting the staged parts. */
  deleteImport(plan: { sessionId: string; importId: string }): Promise<{ hasMore: boolean }>;
  /** The same for parts that arrived before then. */
  pruneImports(plan: { before: number }): Promise<{ hasMore: boolean }>;
}
