// What follows from the answer to a push: done, again soon, again much later, or never. Pure.
import type { ChannelKind } from '../../contract/signal/channel.js';
import type { PushOutcome, PushResult } from '../../ports/channels.js';
import type { PostAnswer } from './post.js';

export type SendResult =
  | { answer: PostAnswer }
  /** The guard does not allow this endpoint. */
  | { refused: string }
  /** No answer: the network, or a time-out. */
  | { failed: string };

export interface Decided {
  result: PushResult;
  /** Null if it was sent. */
  fault: string | null;
  outcome: PushOutcome;
}

const firstRetryMs = 2_000;
const retryMsMax = 10 * 60_000;
/** Someone has to change something first. */
const faultRetryMs = 30 * 60_000;
const retryAfterMsMax = 6 * 60 * 60_000;
const bodyCharsMax = 120;

export interface Circumstances {
  kind: ChannelKind;
  attempts: number;
  now: number;
  /** From 0 to 1. */
  random: number;
}

export function decideOutcome(sent: SendResult, { kind, attempts, now, random }: Circumstances): Decided {
  const again = (result: PushResult, fault: string, afterMs: number): Decided => ({
    result,
    fault,
    outcome: { kind: 'later', delayMs: Math.ceil(afterMs * (0.5 + random / 2)), at: now, fault },
  });
  const soonMs = Math.min(retryMsMax, firstRetryMs * 2 ** Math.min(attempts, 20));
  if ('failed' in sent) return again('retried', `The service cannot be reached: ${sent.failed}.`, soonMs);
  if ('refused' in sent) return again('failed', sent.refused, faultRetryMs);
  const { status, retryAfter, body } = sent.answer;
  if (status >= 200 && status < 300) return { result: 'sent', fault: null, outcome: { kind: 'sent', at: now } };
  if (kind === 'web-push' && (status === 404 || status === 410)) {
    return { result: 'dropped', fault: 'The browser gave the subscription up.', outcome: { kind: 'gone' } };
  }
  const fault = `The service answered ${status}${said(body)}.${hintFor(kind, status)}`;
  if (status === 429 || status === 408 || status >= 500) {
    // Never before it asks: doubled, because jitter halves.
    return again('retried', fault, Math.max(soonMs, 2 * retryAfterMs(retryAfter, now)));
  }
  return again('failed', fault, faultRetryMs);
}

function hintFor(kind: ChannelKind, status: number): string {
  if (status >= 300 && status < 400) return ' Redirects are not followed: set the channel with the URL it leads to.';
  if (status !== 401 && status !== 403) return '';
  if (kind === 'web-push') return ' Check --push-contact and that all hubs have the same secret, or subscribe again.';
  return kind === 'ntfy' ? ' Check the token of the topic.' : '';
}

/** Printable ASCII only: it is shown in terminals. */
function said(body: string): string {
  const text = body
    .slice(0, bodyCharsMax)
    .replaceAll(/[^ -~]+/g, ' ')
    .trim();
  return text === '' ? '' : ` (${text})`;
}

/** Seconds, or a date. */
function retryAfterMs(given: string | undefined, now: number): number {
  if (given === undefined) return 0;
  const ms = /^\d{1,9}$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - now;
  return Number.isNaN(ms) ? 0 : Math.min(retryAfterMsMax, Math.max(0, ms));
}
