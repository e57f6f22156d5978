// Every maximum a caller can meet, once. Settable at start through the config file's `limits`; never while serving.

export const limits = {
  contentBytes: 256 * 1024,
  attachmentBytes: 8 * 1024 * 1024,
  /** Attachments written out in one answer to a program; what is beyond it comes by reference. */
  inlineBytes: 8 * 1024 * 1024,
  /** Pictures and sounds shown to a model beside one answer. */
  shownBytes: 1024 * 1024,
  payloadBytes: 64 * 1024,
  contextBytes: 4 * 1024,
  metadataBytes: 16 * 1024,
  titleChars: 200,
  nameChars: 100,
  descriptionChars: 1_000,
  summaryChars: 4_000,
  templateChars: 500,
  prefThreads: 1_000,
  capabilities: 50,
  ttlSecondsMin: 1,
  ttlSecondsMax: 30 * 24 * 60 * 60,
  idempotencyKeyChars: 128,
  mentions: 100,
  participants: 1_000,
  groups: 1_000,
  groupMembers: 1_000,
  /** Days an agent may stay away and still be in `all`; its own flag, `--all-days`. */
  allDays: 30,
  /** Earlier messages of a thread that a late joiner sees, -1 for all; its own flag, `--join-history`. */
  joinHistory: -1,
  contentBlocks: 1_000,
  ackIds: 500,
  pageSize: 500,
  outboxPageSize: 50,
  historyPageSize: 100,
  searchPageSize: 50,
  searchQueryChars: 500,
  searchWords: 32,
  waitMs: 600_000,
  requestBytes: 12 * 1024 * 1024,
  jsonDepth: 64,
  parkedWaits: 10_000,
  /** Copies in one inbox that wake; plain thread posts do not count. */
  inbox: 100_000,
  /** Replies of one chain with less than the pause between them. */
  replyChainHops: 64,
  replyChainPauseMs: 10 * 60_000,
  /** Turns two agents may take within the window. */
  turnsMax: 60,
  turnsWindowMs: 60_000,
  sessions: 10_000,
};

export type Limits = typeof limits;

/** Applies the operator's settings. Called once, before anything is served. */
export function setLimits(overrides: Partial<Limits>): void {
  Object.assign(limits, overrides);
}
