// The confirmation for a sender: what was sent, whom it reaches, and who is woken by it. Content is truncated, because
// the sender has just written it.
import type { Presence } from '../agent.js';
import { textOf, type ContentBlock } from '../content-block.js';
import type { CopyState } from '../message.js';
import { nameList } from './name-list.js';

const contentCharsMax = 80;

/** A warning to the sender of a thread post without mentions. */
export const plainPostWarning = 'a plain post wakes no one: write @id, or give mentions, to wake a member';

interface Sent {
  messageId: string;
  threadId: string | null;
  sender?: unknown;
  target?: string | undefined;
  group?: boolean | undefined;
  mentions?: unknown;
  recipients: { id: string; state: CopyState; presence: Presence; woken: boolean }[];
  warnings: string[];
  duplicate: boolean;
  /** How many entries the budget cut from a list. */
  leftOut?: unknown;
}

export function renderSent(sent: Sent, draft: { content: ContentBlock[] }): string {
  const text = textOf(draft.content);
  const mentions = Array.isArray(sent.mentions) ? sent.mentions.map(String) : [];
  return [
    sent.duplicate ? 'Message was already sent:' : 'Message sent successfully:',
    `ID: ${sent.messageId}`,
    ...(sent.threadId === null ? [] : [`Thread: ${sent.threadId}`]),
    `Sender: ${String(sent.sender)}`,
    ...(sent.target === undefined ? [] : [`Target: ${sent.target}${sent.group === true ? ' (group)' : ''}`]),
    `Content: ${text.length > contentCharsMax ? `${text.slice(0, contentCharsMax)}…` : text}`,
    ...(mentions.length === 0 ? [] : [`Mentions: ${nameList(mentions, leftOutOf(sent, 'mentions'))}`]),
    ...reachLines(sent),
    ...sent.warnings.map((warning) => `Note: ${warning}`),
  ].join('\n');
}

/** Whoever is woken waits, so the presence is not repeated. A warning names those that a dead letter was kept for. */
function reachLines(sent: Sent): string[] {
  const woken = sent.recipients.filter((recipient) => recipient.woken).map(({ id }) => id);
  const others = sent.recipients.filter((recipient) => !recipient.woken && recipient.state !== 'dead_lettered');
  const leftOut = leftOutOf(sent, 'recipients');
  const label = sent.duplicate ? 'To' : 'Not woken, reads later';
  return [
    ...(woken.length === 0 ? [] : [`Woken: ${nameList(woken)}`]),
    ...(others.length + leftOut === 0
      ? []
      : [
          `${label}: ${nameList(
            others.map(({ id, presence }) => `${id} (${presence})`),
            leftOut,
          )}`,
        ]),
  ];
}

function leftOutOf({ leftOut }: Sent, list: string): number {
  const count: unknown = typeof leftOut === 'object' && leftOut !== null ? Reflect.get(leftOut, list) : undefined;
  return typeof count === 'number' ? count : 0;
}
