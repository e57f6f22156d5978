// The confirmation for a sender: what was sent, whom it reaches, and who is woken by it. Content is truncated, because
// the sender has just written it.
import type { Presence } from '../agent.js';
import { textOf, type ContentBlock } from '../content-block.js';
import type { CopyState } from '../message.js';
import type { AgentWake } from '../wake.js';
import { nameList } from './name-list.js';
import { inLine, startInLine } from './in-line.js';

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
  recipients: { id: string; state: CopyState; presence: Presence; woken: boolean; wake?: AgentWake | undefined }[];
  warnings: string[];
  duplicate: boolean;
  /** How many entries the budget cut from a list. */
  leftOut?: unknown;
}

export function renderSent(sent: Sent, draft: { content: ContentBlock[] }): string {
  const mentions = Array.isArray(sent.mentions) ? sent.mentions.map(String) : [];
  return [
    sent.duplicate ? 'Message was already sent:' : 'Message sent successfully:',
    `ID: ${inLine(sent.messageId)}`,
    ...(sent.threadId === null ? [] : [`Thread: ${inLine(sent.threadId)}`]),
    `Sender: ${inLine(String(sent.sender))}`,
    ...(sent.target === undefined ? [] : [`Target: ${inLine(sent.target)}${sent.group === true ? ' (group)' : ''}`]),
    `Content: ${startInLine(textOf(draft.content), contentCharsMax)}`,
    ...(mentions.length === 0 ? [] : [`Mentions: ${nameList(mentions, leftOutOf(sent, 'mentions'))}`]),
    ...reachLines(sent),
    ...sent.warnings.map((warning) => `Note: ${inLine(warning)}`),
  ].join('\n');
}

/** Whoever is woken waits, so the presence is not repeated. A warning names those that a dead letter was kept for. */
function reachLines(sent: Sent): string[] {
  const woken = sent.recipients.filter((recipient) => recipient.woken).map(({ id }) => id);
  const beingWoken = sent.recipients.filter((recipient) => !recipient.woken && isBeingWoken(recipient.wake));
  const others = sent.recipients.filter(
    ({ woken: isWoken, wake, state }) => !isWoken && !isBeingWoken(wake) && state !== 'dead_lettered',
  );
  const leftOut = leftOutOf(sent, 'recipients');
  const label = sent.duplicate ? 'To' : 'Not woken, reads later';
  return [
    ...(woken.length === 0 ? [] : [`Woken: ${nameList(woken)}`]),
    ...(beingWoken.length === 0
      ? []
      : [`Being woken: ${nameList(beingWoken.map(({ id, wake }) => `${id} (${wake?.text ?? ''})`))}`]),
    ...(others.length + leftOut === 0
      ? []
      : [
          `${label}: ${nameList(
            others.map(({ id, presence, wake }) => `${id} (${wake?.text ?? presence})`),
            leftOut,
          )}`,
        ]),
  ];
}

/** A route is there that may start a turn. */
function isBeingWoken(wake: AgentWake | undefined): boolean {
  return wake?.state === 'ready' || wake?.state === 'waking';
}

function leftOutOf({ leftOut }: Sent, list: string): number {
  const count: unknown = typeof leftOut === 'object' && leftOut !== null ? Reflect.get(leftOut, list) : undefined;
  return typeof count === 'number' ? count : 0;
}
