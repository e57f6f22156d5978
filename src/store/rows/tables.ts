// The copied tables, and how the two stores differ in them. Copying and verifying use the same list, so that everything
// that is copied is also verified.
import { messageColumnNames } from './message-row.js';

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

type Expressions = Readonly<Record<string, string>>;

export interface CopiedTable {
  /** The same in both stores; the alias in expressions is `t`. */
  readonly name: string;
  /** The name shown to people. */
  readonly kind: string;
  /** The key after session_id. Both stores sort texts by bytes, so the order is the same. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** Expressions for columns that differ in SQLite. */
  readonly inSqlite?: Expressions;
  /** The from clause, if SQLite needs a join. */
  readonly fromSqlite?: string;
  /** The column of the session in that join. */
  readonly sessionInSqlite?: string;
  /** The columns that are unique in PostgreSQL, if they are not session_id and the key. */
  readonly conflict?: readonly string[];
  /** Expressions for columns that are only compared. */
  readonly inPostgres?: Expressions;
}

function columnList(names: string): string[] {
  return names.split(/\s+/);
}

/** Its version exists only in PostgreSQL. */
export const sessions: CopiedTable = {
  name: 'session',
  kind: 'sessions',
  key: ['id'],
  columns: columnList(`salt created_at closed_at close_reason expires_at application annotations created_by_session`),
};

export const messages: CopiedTable = {
  name: 'message',
  kind: 'messages',
  key: ['seq'],
  columns: ['origin', ...messageColumnNames.filter((name) => name !== 'session_id' && name !== 'seq')],
  // No batch of a hub has this number.
  inSqlite: { origin: '0' },
};

/** The data is copied separately. Its hash is its SHA-256, which PostgreSQL computes again. */
const attachments: CopiedTable = {
  name: 'attachment',
  kind: 'attachments',
  key: ['hash'],
  columns: ['media_type', 'size', 'sha256'],
  inSqlite: { size: 'length(t.data)', sha256: 't.hash' },
  inPostgres: { size: 'octet_length(t.data)', sha256: "encode(sha256(t.data), 'hex')" },
};

export const attachmentUses: CopiedTable = {
  name: 'attachment_use',
  kind: 'attachment uses',
  key: ['seq', 'hash'],
  columns: [],
};

/** Mutable state: copied as a whole. */
export const stateTables: readonly CopiedTable[] = [
  {
    name: 'agent',
    kind: 'agents',
    key: ['id'],
    columns: ['name', 'description', 'capabilities', 'kind', 'owner', 'registered_at', 'last_seen_at'],
  },
  { name: 'agent_group', kind: 'groups', key: ['name'], columns: ['members'] },
  {
    name: 'thread',
    kind: 'threads',
    key: ['id'],
    columns: ['title', 'status', 'creator', 'is_critical', 'is_private', 'summary', 'created_at'],
  },
  { name: 'member', kind: 'members', key: ['thread_id', 'agent_id'], columns: ['place', 'from_seq'] },
  {
    name: 'critical_thread',
    kind: 'critical threads',
    key: ['thread_id'],
    columns: ['opener', 'opening', 'wanted', 'required', 'eligible', 'deadline', 'all_read_at'],
  },
  { name: 'critical_answer', kind: 'critical answers', key: ['thread_id', 'agent_id'], columns: ['seq', 'at'] },
  {
    name: 'pending',
    kind: 'copies, not ended',
    key: ['agent_id', 'lane', 'rank', 'seq'],
    columns: columnList(`why attempts ran_out lease_token lease_until is_manual leased_at expires_at wants_receipt
      notice digest`),
    // A lease is valid only between a hub and its client. The copy becomes free and is redelivered with the mark. So is
    // what may have been handed out before a power cut.
    inSqlite: {
      lease_token: 'null',
      lease_until: 'null',
      is_manual: 'null',
      attempts: `case when t.attempts = 0 and t.n <= (select n from watermark where name = 'doubtful')
        then 1 else t.attempts end`,
    },
  },
  {
    name: 'delivery',
    kind: 'copies, ended',
    key: ['seq', 'agent_id'],
    columns: ['state', 'at', 'attempts', 'delivered_at', 'lane', 'why', 'reason'],
    // uses message_by_seq, then delivery's key; the cross join keeps SQLite in this order
    inSqlite: { seq: 'm.seq' },
    fromSqlite: 'message m cross join delivery t on t.n = m.n',
    sessionInSqlite: 'm.session_id',
  },
  { name: 'dead_letter', kind: 'dead letters', key: ['id'], columns: ['seq', 'recipient', 'reason', 'at'] },
  { name: 'notify_prefs', kind: 'notification choices', key: ['agent_id'], columns: ['prefs'] },
  { name: 'notify_template', kind: 'notification texts', key: ['name'], columns: ['text'] },
];

/** Copied before anything else, so that a hub on the database never serves without asking for a key. */
export const accessKeys: CopiedTable = {
  name: 'access_key',
  kind: 'keys',
  key: ['id'],
  columns: columnList(
    'agent_id capabilities hash label created_at created_by expires_at revoked_at last_used_at device_id',
  ),
  // A key is looked up before its session is known.
  conflict: ['id'],
};

/** Companions set their routes again; webhooks and what was announced must not be forgotten. */
const wakeTables: readonly CopiedTable[] = [
  {
    name: 'wake_agent',
    kind: 'agents that can be woken',
    key: ['agent_id'],
    columns: columnList('version confirmed_seq abandoned_seq abandoned_at'),
  },
  {
    name: 'wake_route',
    kind: 'wake routes',
    key: ['agent_id', 'id'],
    columns:
      columnList(`kind place label client_session companion position confirm_ms wakes_per_hour quiet_ms is_once url
      host set_at lease_until used_at`),
  },
  {
    name: 'wake',
    kind: 'wakes',
    key: ['agent_id', 'id'],
    columns: columnList(`state is_test unread senders highest chain after_seq up_to_seq started_at ended_at look_at`),
  },
  {
    name: 'wake_attempt',
    kind: 'attempts to wake',
    key: ['agent_id', 'wake_id', 'route_id'],
    columns: columnList('kind label state handed attempted_at accepted_at ended_at confirm_by reason'),
  },
  {
    name: 'escalation',
    kind: 'escalations',
    key: ['agent_id', 'seq'],
    columns: columnList('sender created_at due_at'),
  },
];

/**
 * Of the hub, not of a session's contents: moved with the whole hub, never exported. Questions and alerts are among them
 * because they are sealed for this hub's secret and for devices that are paired with it.
 */
const hubTables: readonly CopiedTable[] = [
  accessKeys,
  {
    name: 'audit',
    kind: 'audit entries',
    key: ['id'],
    columns: ['at', 'actor', 'key_id', 'address', 'act', 'target', 'details'],
  },
  // What is left to end; the copies themselves are the session's.
  { name: 'removed_inbox', kind: 'inboxes of removed agents', key: ['agent_id'], columns: ['seq', 'at'] },
  {
    name: 'signal',
    kind: 'questions and alerts',
    key: ['id'],
    columns:
      columnList(`kind sender status level priority alert_type thread_id in_reply_to project_id label option_count
      call_hash body default_answer answer answered_by answered_on asked_at expires_at ended_at idempotency_key
      request_mac`),
  },
  {
    name: 'signal_recipient',
    kind: 'recipients of questions',
    key: ['signal_id', 'person_id'],
    columns: ['asked_at'],
  },
  {
    name: 'agent_signal_key',
    kind: 'keys of agents’ programs',
    key: ['agent_id', 'kid'],
    columns: ['encryption', 'signing', 'created_at'],
  },
  {
    name: 'device',
    kind: 'devices',
    key: ['id'],
    columns: columnList(`person_id name kid encryption signing mac paired_at verified_at revoked_at last_seen_at`),
  },
  {
    name: 'channel',
    kind: 'channels',
    key: ['id'],
    columns: columnList('person_id device_id kind label settings created_at last_ok_at fault fault_at'),
  },
  {
    name: 'push',
    kind: 'pushes',
    key: ['id'],
    columns: columnList('signal_id channel_id due_at token attempts expires_at'),
    // The hub that held the lease has stopped.
    inSqlite: { token: 'null' },
  },
  { name: 'person_prefs', kind: 'preferences of people', key: ['person_id'], columns: ['prefs'] },
  ...wakeTables,
];

/** Read by source-keys.ts, because its key is stored and sorted differently. */
export const idempotencyKeys: CopiedTable = {
  name: 'idempotency',
  kind: 'idempotency keys',
  key: ['sender', 'key'],
  columns: ['hash', 'seq', 'result', 'expires_at'],
};

export const changingTables: readonly CopiedTable[] = [...stateTables, ...hubTables, idempotencyKeys];
export const allTables: readonly CopiedTable[] = [messages, attachments, attachmentUses, ...changingTables];

/** A text that is equal only for equal rows. */
export function canonical({ key, columns }: CopiedTable, row: Row): string {
  return JSON.stringify([...key, ...columns].map((name) => row[name]));
}

export function keyOf({ key }: CopiedTable, row: Row): string {
  return JSON.stringify(key.map((name) => row[name]));
}
