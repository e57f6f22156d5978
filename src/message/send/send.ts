// send_message: plans what is to be stored, stores it in one transaction, then wakes the readers.
import { hash as hashOf } from 'node:crypto';
import { isBlank, textOf, type ContentBlock } from '../../contract/content-block.js';
import { splitThinking } from '../../contract/content/split-thinking.js';
import { HubError, hubErrorFrom } from '../../contract/errors.js';
import { byteLength } from '../../contract/fields.js';
import { limits } from '../../contract/limits.js';
import type { sendMessage as contract } from '../../contract/operations/send-message.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { Clock } from '../../ports/clock.js';
import { isAdmin, type NamedCaller } from '../../ports/caller.js';
import { longTurn } from '../../ports/long-turns.js';
import type { Metrics } from '../../ports/metrics.js';
import type { IdempotencyKey, SendPlan, Store } from '../../ports/store.js';
import type { Wakeup } from '../../ports/wakeup.js';
import { announce } from './announce.js';
import { describeSent, reachOf, type ReachPorts } from './describe-sent.js';
import { mentionsIn } from './mentions.js';
import { dataCharsIn, extractAttachments } from './extract-attachments.js';

export interface SendPorts extends ReachPorts {
  store: Pick<Store, 'appendMessage'>;
  clock: Clock;
  wakeup: Wakeup;
  metrics: Metrics;
  stoppedLoops: { noteRefusal(plan: SendPlan, error: unknown): void };
  /** Throws if this sender cannot ask people. */
  requireMayEscalate: (caller: NamedCaller) => Promise<void>;
  /** Stores that people are asked if these recipients are not woken; returns warnings. */
  noteEscalation: (caller: NamedCaller, sent: { seq: number; recipients: readonly string[] }) => Promise<string[]>;
}

type Draft = InputOf<typeof contract>;
type Sent = OutputOf<typeof contract>;

const keyKeptMs = 24 * 60 * 60 * 1000;

export async function sendMessage(
  ports: SendPorts,
  caller: NamedCaller,
  draft: Draft,
): Promise<{ output: Sent; unread: number }> {
  // Parsing this much took long, and decoding it will: other calls run in between.
  if (!isText(draft.content) && dataCharsIn(draft.content) >= bulkChars) await longTurn();
  const plan = planSend(caller, draft, ports.clock.now());
  if (draft.escalate !== undefined) await ports.requireMayEscalate(caller);
  const stored = await ports.store.appendMessage(plan).catch((error: unknown) => {
    ports.stoppedLoops.noteRefusal(plan, error);
    throw error;
  });
  if ('refused' in stored) {
    // Only a message to an unknown target or to an empty group is refused and kept as a dead letter.
    ports.metrics.countSend(1);
    ports.metrics.copiesEnded('dead_lettered', 1);
    ports.wakeup.feed(caller.sessionId);
    throw hubErrorFrom(stored.refused);
  }
  const { appended, senderUnread } = stored;
  const recipients = reachOf(ports, plan, appended);
  if (!appended.duplicate) {
    announce(ports, caller.sessionId, [appended]);
    ports.metrics.copiesEnded('dead_lettered', appended.undelivered.length);
  }
  const output = await describeSent(ports, plan, { appended, recipients });
  if (draft.escalate !== undefined) {
    const ids = appended.recipients.map(({ id }) => id);
    const warnings = await ports.noteEscalation(caller, { seq: appended.seq, recipients: ids });
    output.warnings.push(...warnings);
  }
  return { output, unread: senderUnread };
}

const bulkChars = 256 * 1024;

/** Pure: what is to be stored. The store checks the preconditions in its transaction. */
export function planSend(caller: NamedCaller, draft: Draft, now: number): SendPlan {
  const written = isAssistant(draft.role) ? splitThinking(draft.content) : draft.content;
  const { content, attachments } = isText(written)
    ? { content: written, attachments: null }
    : extractAttachments(written);
  const json = contentAsJson(content, draft.shareThinking);
  if (draft.role === 'SYSTEM') {
    throw new HubError('ROLE_FORBIDDEN', 'Only the hub may use the role SYSTEM.', {
      hint: 'Leave role out, or use USER, ASSISTANT or TOOL.',
      details: { role: draft.role },
    });
  }
  return {
    sessionId: caller.sessionId,
    sender: caller.agentId,
    isAdmin: isAdmin(caller),
    threadId: draft.threadId ?? null,
    target: draft.target ?? null,
    content: json,
    attachments,
    role: draft.role ?? (isToolResults(content) ? 'TOOL' : null),
    type: draft.messageType ?? null,
    priority: draft.priority,
    action: draft.action,
    urgent: draft.urgent,
    mentions: draft.mentions,
    mentionsInText: draft.parseMentions ? mentionsIn(textOf(content)) : [],
    replyTo: draft.replyTo ?? null,
    context: draft.context ?? null,
    payload: draft.payload ?? null,
    metadata: draft.metadata,
    label: draft.sessionId ?? null,
    shareThinking: draft.shareThinking,
    wantsReceipt: draft.receipt === 'read',
    notice: null,
    at: now,
    expiresAt: draft.ttl === undefined ? null : now + Math.round(draft.ttl * 1000),
    key: draft.idempotencyKey === undefined ? null : idempotencyKey(draft.idempotencyKey, { ...draft, content }, now),
  };
}

/** As nearly always: nothing to extract. */
function isText(content: readonly ContentBlock[]): boolean {
  return content.every((block) => block.type === 'text');
}

/** ASSISTANT is an agent's default role. */
function isAssistant(role: Draft['role']): boolean {
  return role === undefined || role === 'ASSISTANT';
}

function isToolResults(content: readonly ContentBlock[]): boolean {
  return content.every((block) => block.type === 'tool_result');
}

function contentAsJson(content: readonly ContentBlock[], shareThinking: boolean): string {
  if (isBlank(content, shareThinking)) {
    throw new HubError('CONTENT_EMPTY', 'There is nothing in the message.', {
      hint: 'Give content with some text in it.',
    });
  }
  const json = JSON.stringify(content);
  // A character is at most three bytes: short texts need no byte count.
  if (json.length * 3 <= limits.contentBytes) return json;
  const bytes = byteLength(json);
  if (bytes <= limits.contentBytes) return json;
  throw new HubError('TOO_LARGE', `The content is ${bytes} bytes; at most ${limits.contentBytes} are allowed.`, {
    hint: 'Send it in parts, or store it where the reader can fetch it and send the address.',
    details: { bytes, limit: limits.contentBytes },
  });
}

/** The hash distinguishes a retry from another request with the same key. */
export function idempotencyKey(key: string, request: unknown, now: number): IdempotencyKey {
  // Half a hash is enough to distinguish requests of one sender, and it is stored with every key.
  const hash = hashOf('sha256', JSON.stringify(request), 'base64url').slice(0, 22);
  return { key, hash, at: now, expiresAt: now + keyKeptMs };
}
