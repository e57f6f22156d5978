// The error for a missing reply, and whether the request may have been performed.
import { HubError } from '../contract/errors.js';

/** Failures before the first byte was sent. */
const notSentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** `not_sent`: nothing was done. `unknown`: it may have been done before the connection was lost. */
export type LostOutcome = 'not_sent' | 'unknown';

export function hubUnreachable(url: string, operation: string, cause: unknown): HubError {
  const outcome: LostOutcome = isNotSent(cause) ? 'not_sent' : 'unknown';
  const message =
    outcome === 'not_sent'
      ? `No hub answers at ${url}.`
      : `The connection to the hub at ${url} was lost during ${operation}; it is unknown whether it was done.`;
  return new HubError('HUB_UNREACHABLE', message, {
    hint:
      outcome === 'not_sent'
        ? 'Start the hub or check its URL, then call again.'
        : 'Check whether it was done before you call again.',
    details: { url, outcome },
    cause,
  });
}

/** Undefined for any other error, and when a retry cannot help. */
export function lostOutcomeOf(error: unknown): LostOutcome | undefined {
  if (!(error instanceof HubError) || error.code !== 'HUB_UNREACHABLE') return undefined;
  const { outcome } = error.details;
  return outcome === 'not_sent' || outcome === 'unknown' ? outcome : undefined;
}

/** `fetch` wraps the system error, or several of them, one per address. */
function isNotSent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'string') return notSentCodes.has(error.code);
  // `fetch` refuses the ports that browsers block.
  if (error instanceof Error && error.message === 'bad port') return true;
  return 'cause' in error && isNotSent(error.cause);
}
