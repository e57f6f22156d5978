// A message as both stores keep it: its row read and written in one place.
import type { ContentBlock } from '../../contract/content-block.js';
import { messageIdOf } from '../../contract/ids.js';
import type { Action, MessageType, Priority, Role } from '../../contract/message.js';
import type { Searchable } from '../../message/history/search-text.js';
import type { MessageRecord, SendPlan } from '../../ports/store.js';

export interface MessageRow {
  session_id: string;
  seq: number;
  thread_id: string | null;
  sender: string;
  name: string | null;
  at: number;
  rank: number;
  role: Role;
  type: MessageType | null;
  priority: Priority;
  action: Action;
  urgent: number;
  reply_to: number | null;
  /** How many quick replies led to it; null when it is not a reply. */
  hops: number | null;
  target: string | null;
  content: string;
  mentions: string | null;
  extras: string | null;
  expires_at: number | null;
  recipients: string;
}

interface Extras {
  context?: string;
  payload?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
  label?: string;
  shareThinking?: true;
  receipt?: 'read';
  notice?: SendPlan['notice'];
}

export const messageColumns =
  'session_id, seq, thread_id, sender, name, at, rank, role, type, priority, action, urgent, reply_to, hops, target, content, mentions, extras, expires_at, recipients';

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
  };
}

/** What a search looks at, without the rest of the message. */
export function toSearchable({ content, extras }: Pick<MessageRow, 'content' | 'extras'>): Searchable {
  const { context = null, shareThinking = false } = extras === null ? {} : (JSON.parse(extras) as Extras);
  return { content: JSON.parse(content) as ContentBlock[], context, shareThinking };
}

/** Null when there is nothing beside the everyday fields, so that most rows stay small. */
export function extrasOf(plan: SendPlan): string | null {
  if (isPlain(plan)) return null;
  const extras: Extras = {
    ...(plan.context === null ? {} : { context: plan.context }),
    ...(plan.payload === null ? {} : { payload: plan.payload }),
    ...(Object.keys(plan.metadata).length === 0 ? {} : { metadata: plan.metadata }),
    ...(plan.label === null ? {} : { label: plan.label }),
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
