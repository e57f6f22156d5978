// Accepts a message: plans what is to be stored, stores all of it at once, then wakes its readers.
import { hash as hashOf } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isBlank, textOf, type ContentBlock } from '../../contract/content-block.js';
import { splitThinking } from '../../contract/content/split-thinking.js';
import { HubError, hubErrorFrom } from '../../contract/errors.js';
import { byteLength } from '../../contract/fields.js';
import { limits } from '../../contract/limits.js';
import type { sendMessage as contract } from '../../contract/operations/send-message.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { Presence } from '../../contract/agent.js';
import type { Clock } from '../../ports/clock.js';
import { isAdmin, type NamedCaller } from '../../ports/caller.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Appended, IdempotencyKey, SendPlan, Store } from '../../ports/store.js';
import type { Wakeup } from '../../ports/wakeup.js';
import { announce } from './announce.js';
import { mentionsIn } from './mentions.js';
import { dataCharsIn, extractAttachments } from './extract-attachments.js';

export interface SendPorts {
  store: Pick<Store, 'appendMessage'>;
  clock: Clock;
  wakeup: Wakeup;
  metrics: Metrics;
  presenceOf: (sessionId: string, agentId: string) => Presence;
}

type Draft = InputOf<typeof contract>;
type Sent = OutputOf<typeof contract>;

const keyKeptMs = 24 * 60 * 60 * 1000;

export async function sendMessage(
  ports: SendPorts,
  caller: NamedCaller,
  draft: Draft,
): Promise<{ output: Sent; unread: number }> {
  // Reading so much took its time, and decoding it will: others have their turn in between.
  if (dataCharsIn(draft.content) >= bulkChars) await nextTurn();
  const plan = planSend(caller, draft, ports.clock.now());
  const stored = await ports.store.appendMessage(plan);
  if ('refused' in stored) {
    // Only an unknown target is refused and kept.
    ports.metrics.countSend(1);
    ports.metrics.copiesEnded('dead_lettered', 1);
    ports.wakeup.feed(caller.sessionId);
    throw hubErrorFrom(stored.refused);
  }
  const { appended, senderUnread } = stored;
  if (!appended.duplicate) {
    announce(ports, caller.sessionId, [appended]);
    ports.metrics.copiesEnded('dead_lettered', appended.undelivered.length);
  }
  return { output: describeSent(ports, caller, appended), unread: senderUnread };
}

const bulkChars = 256 * 1024;

/** Pure: what is to be stored. What must hold is checked where it is stored. */
export function planSend(caller: NamedCaller, draft: Draft, now: number): SendPlan {
  const said = isAssistant(draft.role) ? splitThinking(draft.content) : draft.content;
  const { content, attachments } = extractAttachments(said);
  const json = contentAsJson(content, draft.shareThinking);
  if (draft.role === 'SYSTEM') {
    throw new HubError('ROLE_FORBIDDEN', 'Only the hub speaks as SYSTEM.', {
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

/** An agent that does not say speaks as one. */
function isAssistant(role: Draft['role']): boolean {
  return role === undefined || role === 'ASSISTANT';
}

function isToolResults(content: readonly ContentBlock[]): boolean {
  return content.every((block) => block.type === 'tool_result');
}

function contentAsJson(content: readonly ContentBlock[], shareThinking: boolean): string {
  if (isBlank(content, shareThinking)) {
    throw new HubError('CONTENT_EMPTY', 'The message says nothing.', { hint: 'Give content with some text in it.' });
  }
  const json = JSON.stringify(content);
  // At most three bytes a character: short texts need no counting.
  if (json.length * 3 <= limits.contentBytes) return json;
  const bytes = byteLength(json);
  if (bytes <= limits.contentBytes) return json;
  throw new HubError('TOO_LARGE', `The content is ${bytes} bytes; at most ${limits.contentBytes} are taken.`, {
    hint: 'Send it in parts, or put it where the reader can fetch it and send the address.',
    details: { bytes, limit: limits.contentBytes },
  });
}

/** The hash tells a retry from another request under the same key. */
export function idempotencyKey(key: string, request: unknown, now: number): IdempotencyKey {
  // Half of it is plenty to tell two requests of one sender apart, and is stored with every key.
  const hash = hashOf('sha256', JSON.stringify(request), 'base64url').slice(0, 22);
  return { key, hash, at: now, expiresAt: now + keyKeptMs };
}

function describeSent(ports: SendPorts, { sessionId }: NamedCaller, appended: Appended): Sent {
  const { undelivered } = appended;
  const presenceOf = (id: string) => ports.presenceOf(sessionId, id);
  const recipients: Sent['recipients'] = [
    ...appended.recipients.map(({ id }) => ({ id, state: 'pending' as const, presence: presenceOf(id) })),
    ...undelivered.map((id) => ({ id, state: 'dead_lettered' as const, presence: presenceOf(id) })),
  ];
  const offline = recipients.filter(({ presence }) => presence === 'offline').map(({ id }) => id);
  const dropped = appended.droppedMentions;
  return {
    success: true,
    messageId: appended.id,
    seq: appended.seq,
    threadId: appended.threadId,
    sender: appended.sender,
    mentions: appended.mentions,
    recipients,
    droppedMentions: dropped,
    warnings: [
      ...(dropped.length === 0 ? [] : [`not in the thread, so not mentioned: ${dropped.slice(0, 10).join(', ')}`]),
      ...(offline.length === 0 ? [] : [`offline, will get it on return: ${offline.slice(0, 10).join(', ')}`]),
      ...(undelivered.length === 0
        ? []
        : [`inbox full, kept as a dead letter: ${undelivered.slice(0, 10).join(', ')}`]),
      ...(recipients.length === 0 ? ['no one else is there to receive it'] : []),
    ],
    duplicate: appended.duplicate,
  };
}
