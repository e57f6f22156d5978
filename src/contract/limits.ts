// Every limit a caller can reach. Set at start by `limits` in the config file; constant while serving.

export const limits = {
  contentBytes: 256 * 1024,
  attachmentBytes: 8 * 1024 * 1024,
  /** Attachment data inlined in one answer to a program; the rest is sent by reference. */
  inlineBytes: 8 * 1024 * 1024,
  /** Images and audio shown to a model with one answer. */
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
  /** Of a question or an alert. */
  questionChars: 2_000,
  questionOptions: 5,
  optionChars: 100,
  /** Of a free answer, a default answer, or the reason of a refusal. */
  answerChars: 4_000,
  /** People that one question or alert names. */
  questionPeople: 100,
  /** Of one agent. */
  questionsPending: 20,
  /** Alerts of one agent, also in open mode: so many at once, then so many a minute. */
  alertsBurst: 20,
  alertsPerMinute: 2,
  /** Of all agents of a session together. */
  sessionAlertsBurst: 100,
  sessionAlertsPerMinute: 10,
  mentions: 100,
  participants: 1_000,
  groups: 1_000,
  groupMembers: 1_000,
  /** Days an agent may be absent and still be in `all`; set with `--all-days`. */
  allDays: 30,
  /** Earlier messages of a thread that a new member sees, -1 for all; set with `--join-history`. */
  joinHistory: -1,
  contentBlocks: 1_000,
  ackIds: 500,
  pageSize: 500,
  /** Of the messages in one answer, as they are stored; the rest is on the next page. One message always fits. */
  pageBytes: 2 * 1024 * 1024,
  outboxPageSize: 50,
  historyPageSize: 100,
  searchPageSize: 50,
  searchQueryChars: 500,
  searchWords: 32,
  /** How long one read of history may take on SQLite. Its work is bounded by counts; this bounds what a slow disk makes of it. */
  readMs: 10_000,
  /** Reads of history that wait for their turn on SQLite, searches and exports among them; on PostgreSQL searches do. */
  readsQueued: 10_000,
  searchesQueued: 500,
  searchesPerCaller: 50,
  /** How far `/metrics` counts unread copies, agents, threads and pushes, so that a scrape costs the same however many there are. */
  totals: 100_000,
  /** Entries of the audit log that one read of it examines; `list_audit` makes some of them before it answers. */
  auditExamined: 5_000,
  waitMs: 600_000,
  requestBytes: 12 * 1024 * 1024,
  /** All headers of a request together. */
  headerBytes: 16 * 1024,
  headers: 100,
  /** From the first byte of a request, or from the start of its connection, to the end of its headers. */
  headersMs: 15_000,
  /** To the end of its body. Time in which the hub works or waits does not count. */
  requestMs: 120_000,
  /** Open connections of the hub. */
  connections: 20_000,
  /** Of one address on the network, or of one IPv6 /64. The hub's own machine and trusted proxies are not counted. */
  connectionsPerAddress: 1_000,
  jsonDepth: 64,
  /** Keys, items and values in a request. */
  jsonValues: 50_000,
  /** Messages in one JSON-RPC batch. */
  batchMessages: 100,
  /** Of a key, at one hub or at all of them; docs/limits.md says how far hubs share it. */
  callsPerSecond: 100,
  callsBurst: 1_000,
  /** Requests with a wrong key from one address. */
  failedKeysPerMinute: 60,
  parkedWaits: 10_000,
  waitsPerKey: 200,
  waitsPerAddress: 2_000,
  streamsPerKey: 32,
  streamsPerAddress: 256,
  /** A follower of /v1/events that takes nothing for so long is disconnected; it resumes at its position. */
  streamStuckMs: 60_000,
  /** Bytes of requests that are not answered yet, of all callers. */
  bodyBytes: 64 * 1024 * 1024,
  bodyBytesPerKey: 32 * 1024 * 1024,
  bodyBytesPerAddress: 48 * 1024 * 1024,
  /** Bytes of answers that are being read, built or not yet taken by their clients. */
  answerBytes: 96 * 1024 * 1024,
  /** Of a key, or of an agent in open mode. */
  answerBytesPerCaller: 32 * 1024 * 1024,
  answerBytesPerConnection: 16 * 1024 * 1024,
  /** Waking copies in one inbox; plain thread posts do not count. */
  inbox: 100_000,
  /** Length of a reply chain whose replies are less than the pause apart. */
  replyChainHops: 64,
  replyChainPauseMs: 10 * 60_000,
  /** Messages two agents may exchange within the window. */
  turnsMax: 60,
  turnsWindowMs: 60_000,
  /** Of one person, not counting those that are revoked. */
  devices: 20,
  /** Of one person, not used yet. */
  pairings: 10,
  /** Of a person. */
  channels: 20,
  /** Programs of one agent that can open answers; the oldest are forgotten. */
  agentKeys: 20,
  /** Of one agent, those that are gone included. */
  wakeRoutes: 16,
  /** Of an agent; a route may set a lower one. */
  wakesPerHour: 20,
  /** From the end of a wake of an agent to its next one. */
  wakeQuietMs: 10_000,
  /** An agent that called so recently is at work, and is not woken. */
  wakeGraceMs: 5_000,
  /** The longest time to confirm that a route may set. */
  wakeConfirmMs: 3_600_000,
  /** Wakes of two agents in turns, each by mail of the other alone, without a pause as in a reply chain. */
  wokenTurns: 12,
  wakeReasonChars: 500,
  wakePageSize: 50,
  /** Without a wake or a call of the recipient for so long, `escalate` asks people. */
  escalateAfterMs: 60_000,
  /** Of one sender, not ended yet. */
  escalations: 100,
  sessions: 10_000,
  /** Of one import; kept by the store until it is complete. */
  importBytes: 128 * 1024 * 1024,
  /** Imports into this session’s care that are not complete. */
  imports: 4,
};

export type Limits = typeof limits;

/** Applies the operator's settings. Called once, before the hub serves. */
export function setLimits(overrides: Partial<Limits>): void {
  Object.assign(limits, overrides);
}
