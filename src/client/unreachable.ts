// The error for a missing reply, and whether the request may have been performed.
import { HubError } from '../contract/errors.js';

/** Failures before the first byte was sent. */
const notSentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** `not_sent`: nothing was done. `unknown`: it may have been done before the connection was lost. */
export type LostOutcome = 'not_sent' | 'unknown';

export function hubUnreachable(url: string, operation: string, cause: unknown): HubError {
  const fault = certificateFaultOf(cause);
  if (fault !== undefined) return certificateRefused(url, fault, cause);
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

function certificateRefused(url: string, fault: string, cause: unknown): HubError {
  return new HubError('HUB_UNREACHABLE', `The certificate of the hub at ${url} cannot be verified (${fault}).`, {
    hint: 'Use the name that the certificate is for. If it is signed by a CA of your own, set NODE_EXTRA_CA_CERTS to the file of that CA.',
    details: { url, outcome: 'not_sent', fault },
    cause,
  });
}

/** The codes of OpenSSL and Node for a certificate that is not accepted. */
const certificateFault = /^(?:CERT_|UNABLE_TO_|ERR_TLS_CERT_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED)/;

function certificateFaultOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && certificateFault.test(code) ? code : undefined;
}

function isNotSent(error: unknown): boolean {
  const code = codeOf(error);
  // `fetch` refuses the ports that browsers block.
  return code === undefined ? isBadPort(error) : notSentCodes.has(code);
}

/** `fetch` wraps the system error, or several of them, one per address. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? codeOf(error.cause) : undefined;
}

function isBadPort(error: unknown): boolean {
  return error instanceof Error && (error.message === 'bad port' || isBadPort(error.cause));
}
