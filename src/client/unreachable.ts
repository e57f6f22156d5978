// What a caller is told when no reply came, and whether the request can have been performed.
import { HubError } from '../contract/errors.js';

/** Failures before the first byte left: nothing can have been done. */
const notSentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** `not_sent`: nothing was done. `unknown`: it may have been done before the connection broke. */
export type LostOutcome = 'not_sent' | 'unknown';

export function hubUnreachable(url: string, operation: string, cause: unknown): HubError {
  const outcome: LostOutcome = isNotSent(cause) ? 'not_sent' : 'unknown';
  const message =
    outcome === 'not_sent'
      ? `No hub answers at ${url}.`
      : `The connection to the hub at ${url} broke during ${operation}; whether it was done is not known.`;
  return new HubError('HUB_UNREACHABLE', message, {
    hint:
      outcome === 'not_sent' ? 'Start the hub, or check its address, and call again.' : 'Look before you repeat it.',
    details: { url, outcome },
    cause,
  });
}

/** Undefined for any other error, and for a hub that another try would not find either. */
export function lostOutcomeOf(error: unknown): LostOutcome | undefined {
  if (!(error instanceof HubError) || error.code !== 'HUB_UNREACHABLE') return undefined;
  const { outcome } = error.details;
  return outcome === 'not_sent' || outcome === 'unknown' ? outcome : undefined;
}

/** `fetch` wraps the system's error, sometimes one per address that was tried. */
function isNotSent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'string') return notSentCodes.has(error.code);
  // Ports that browsers, and so fetch, never connect to.
  if (error instanceof Error && error.message === 'bad port') return true;
  return 'cause' in error && isNotSent(error.cause);
}
