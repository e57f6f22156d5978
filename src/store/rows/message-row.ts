// The message row of both stores. Rows, inserts and batches are derived from the list of columns here.
import type { ContentBlock } from '../../contract/content-block.js';
import { messageIdOf, systemAgentId } from '../../contract/ids.js';
import type { Action, MessageType, Priority, Role } from '../../contract/message.js';
import type { Searchable } from '../../message/history/search-text.js';
import type { MessageRecord, Redaction, SendPlan } from '../../ports/store.js';

export type SqlType = 'text' | 'integer' | 'bigint';

/** `value` exists only as a type: that of the column in a row. */
interface Column<Value> {
  readonly type: SqlType;
  readonly value?: Value;
}

const text = <Value extends string | null = string>(): Column<Value> => ({ type: 'text' });
const integer = <Value extends number | null = number>(): Column<Value> => ({ type: 'integer' });
const bigint = <Value extends number | null = number>(): Column<Value> => ({ type: 'bigint' });

const columns = {
  session_id: text(),
  seq: bigint(),
  thread_id: text<string | null>(),
  sender: text(),
  /** Null when it equals the sender's id. */
  name: text<string | null>(),
  at: bigint(),
  rank: integer(),
  role: text<Role>(),
  type: text<MessageType | null>(),
  priority: text<Priority>(),
  action: text<Action>(),
  urgent: integer(),
  /** A seq. */
  reply_to: bigint<number | null>(),
  /** The number of quick replies before it; null when it is not a reply. */
  hops: integer<number | null>(),
  target: text<string | null>(),
  content: text(),
  mentions: text<string | null>(),
  extras: text<string | null>(),
  expires_at: bigint<number | null>(),
  recipients: text(),
};

type Columns = typeof columns;

export type MessageRow = { [Name in keyof Columns]: NonNullable<Columns[Name]['value']> | NullIn<Columns[Name]> };
type NullIn<Col> = Col extends Column<infer Value> ? Extract<Value, null> : never;

// Safe: Object.keys does not keep the type of the names.
export const messageColumnNames = Object.keys(columns) as (keyof MessageRow)[];

export const messageColumns = messageColumnNames.join(', ');

export function sqlTypeOf(name: keyof MessageRow): SqlType {
  return columns[name].type;
}

/** The columns of a message, with a table alias. */
export function columnsOf(alias: string): string {
  return messageColumnNames.map((name) => `${alias}.${name}`).join(', ');
}

interface Extras {
  context?: string;
  payload?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
  label?: string;
  /** The sender of a thread post gave its type STATUS, which an untyped post has too. */
  isStatus?: true;
  shareThinking?: true;
  receipt?: 'read';
  notice?: SendPlan['notice'];
  redaction?: Redaction;
}

export function toRecord(row: MessageRow, salt: number): MessageRecord {
  const extras: Extras = row.extras === null ? {} : (JSON.parse(row.extras) as Extras);
  return {
    id: messageIdOf(row.seq, salt),
    seq: row.seq,
    sessionId: row.session_id,
    threadId: row.thread_id,
    sender: row.sender,
    name: row.name ?? row.sender,
    role: row.role,
    content: JSON.parse(row.content) as ContentBlock[],
    mentions: row.mentions === null ? [] : (JSON.parse(row.mentions) as string[]),
    type: row.type,
    isTypeGiven: isTypeGiven(row, extras),
    priority: row.priority,
    action: row.action,
    urgent: row.urgent === 1,
    replyTo: row.reply_to === null ? null : messageIdOf(row.reply_to, salt),
    target: row.target,
    context: extras.context ?? null,
    payload: extras.payload ?? null,
    metadata: extras.metadata ?? {},
    label: extras.label ?? null,
    shareThinking: extras.shareThinking ?? false,
    at: row.at,
    expiresAt: row.expires_at,
    redaction: extras.redaction ?? null,
  };
}

const redactedContent = JSON.stringify([{ type: 'text', text: '[redacted]' } satisfies ContentBlock]);

/** Only what decides how it is delivered stays beside the mark. */
export function redactedRow(row: MessageRow, redaction: Redaction): MessageRow {
  const { isStatus, receipt, notice }: Extras = row.extras === null ? {} : (JSON.parse(row.extras) as Extras);
  const extras: Extras = {
    ...(isStatus === undefined ? {} : { isStatus }),
    ...(receipt === undefined ? {} : { receipt }),
    ...(notice === undefined ? {} : { notice }),
    redaction,
  };
  return { ...row, content: redactedContent, extras: JSON.stringify(extras) };
}

/** STATUS is also stored where no type was given: for thread posts, and for what the hub says. */
function isTypeGiven({ type, thread_id: threadId, sender }: MessageRow, { isStatus }: Extras): boolean {
  if (type !== 'STATUS') return type !== null;
  return isStatus === true || (threadId === null && sender !== systemAgentId);
}

/** The parts of a message that are searched; a redacted one has none. */
export function toSearchable({ content, extras }: Pick<MessageRow, 'content' | 'extras'>): Searchable {
  const known: Extras = extras === null ? {} : (JSON.parse(extras) as Extras);
  const { context = null, shareThinking = false, redaction } = known;
  return { content: redaction === undefined ? (JSON.parse(content) as ContentBlock[]) : [], context, shareThinking };
}

/** Whether the sender wants a receipt when a copy ends. */
export function asksForReceipt({ extras }: Pick<MessageRow, 'extras'>): boolean {
  return extras !== null && (JSON.parse(extras) as Extras).receipt === 'read';
}

/** Null when no optional field is set, so that most rows stay small. */
export function extrasOf(plan: SendPlan, threadId: string | null): string | null {
  const isStatus = plan.type === 'STATUS' && threadId !== null && plan.sender !== systemAgentId;
  if (!isStatus && isPlain(plan)) return null;
  const extras: Extras = {
    ...(plan.context === null ? {} : { context: plan.context }),
    ...(plan.payload === null ? {} : { payload: plan.payload }),
    ...(Object.keys(plan.metadata).length === 0 ? {} : { metadata: plan.metadata }),
    ...(plan.label === null ? {} : { label: plan.label }),
    ...(isStatus ? { isStatus: true as const } : {}),
    ...(plan.shareThinking ? { shareThinking: true as const } : {}),
    ...(plan.wantsReceipt ? { receipt: 'read' as const } : {}),
    ...(plan.notice === null ? {} : { notice: plan.notice }),
  };
  return JSON.stringify(extras);
}

function isPlain({ context, payload, metadata, label, shareThinking, wantsReceipt, notice }: SendPlan): boolean {
  const isBare = context === null && payload === null && label === null && notice === null;
  return isBare && !shareThinking && !wantsReceipt && Object.keys(metadata).length === 0;
}
