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

export interface FinishImportPlan {
  /** The new session. */
  sessionId: string;
  /** The session of the caller. */
  from: string;
  importId: string;
  at: number;
  /** Whose admins administer it; null in open mode. */
  createdBySession: string | null;
  /** The owner of the imported agents. */
  owner: string;
  audit: AuditEntry;
}
