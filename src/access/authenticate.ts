// From a request's Authorization header to a grant, once per request and before it is routed. A verifier for tokens of an
// OAuth issuer would be asked here, beside the key ring, and return a grant too.
import { HubError } from '../contract/errors.js';
import type { Grant } from '../ports/caller.js';
import type { Metrics } from '../ports/metrics.js';
import type { FailedAttempts } from './failed-attempts.js';
import type { KeyCheck, KeyFault, KeyRing } from './key-ring.js';

/**
 * Null in open mode. Throws KEY_REQUIRED or KEY_INVALID, or the store's error: out of reach is never taken for a wrong key. A
 * promise only if the store has to be asked.
 */
function authenticate(ring: KeyRing, authorization: readonly string[]): Grant | null | Promise<Grant | null> {
  if (!ring.isFresh) return ring.compare().then(() => grantOf(ring, authorization));
  return grantOf(ring, authorization);
}

function grantOf(ring: KeyRing, authorization: readonly string[]): Grant | null | Promise<Grant> {
  if (ring.isOpen) return null;
  const [header, ...others] = authorization;
  if (others.length > 0) throw severalKeys();
  if (header === undefined) throw keyRequired();
  const token = /^Bearer +([^ ]+) *$/i.exec(header)?.[1];
  // A client whose variable is not set may send the scheme alone.
  if (token === undefined) throw /^Bearer *$/i.test(header) ? keyRequired() : keyInvalid({ fault: 'malformed' });
  if (/^[$%{]/.test(token)) throw unsetVariable();
  const check = ring.check(token);
  return check instanceof Promise ? check.then(grantIn) : grantIn(check);
}

function grantIn(check: KeyCheck): Grant {
  if ('fault' in check) throw keyInvalid(check);
  return check.grant;
}

const howToGetOne = 'Whoever runs the hub makes one with: coterie keys create --agent NAME';

function keyRequired(): HubError {
  return new HubError('KEY_REQUIRED', 'This hub needs a key, and the request has none.', {
    hint: `Send it as the header Authorization: Bearer KEY. ${howToGetOne}`,
    details: { reason: 'missing' },
  });
}

const faults: Record<KeyFault, string> = {
  malformed: 'The key is malformed: cut short, mistyped, or not a key of Coterie, which begins with coterie_.',
  unknown: 'This hub does not know the key.',
  revoked: 'The key was revoked.',
  expired: 'The key has expired.',
};

function keyInvalid(check: Exclude<KeyCheck, { grant: Grant }>): HubError {
  const { fault, key } = check;
  return new HubError('KEY_INVALID', faults[fault], {
    hint: fault === 'malformed' ? `Copy the whole key. ${howToGetOne}` : `Use another key. ${howToGetOne}`,
    // The id is public; only who has the secret hears of it.
    details: { reason: fault, ...(key === undefined ? {} : { keyId: key.id }) },
  });
}

/** `${COTERIE_KEY}` and the like, as some clients send them when the variable is not set. */
function unsetVariable(): HubError {
  return new HubError('KEY_INVALID', 'In place of a key the client sent the name of a variable.', {
    hint: `Set COTERIE_KEY to the key where the client starts. ${howToGetOne}`,
    details: { reason: 'malformed' },
  });
}

function severalKeys(): HubError {
  return new HubError('KEY_INVALID', 'The request has more than one Authorization header.', {
    hint: 'Send one key.',
    details: { reason: 'several' },
  });
}

export interface KeyedRequest {
  /** All of the request's Authorization headers. */
  authorization: readonly string[];
  address: string;
  /** Calls back when the request has ended. */
  onEnd: (callback: () => void) => void;
  /** Ends the request: its key no longer works. */
  refuse: (error: HubError) => void;
}

export interface AuthenticatePorts {
  keys: KeyRing;
  failedAttempts: FailedAttempts;
  metrics: Pick<Metrics, 'keyRefused'>;
}

/** Also ends the request, if it is still open then, when its key ends, or open mode does. */
export function admitRequest(ports: AuthenticatePorts, request: KeyedRequest): Grant | null | Promise<Grant | null> {
  const admitted = (grant: Grant | null): Grant | null => {
    const keyId = grant?.keyId ?? null;
    const end = (fault: KeyFault) => request.refuse(keyId === null ? keyRequired() : keyInvalid({ fault }));
    request.onEnd(ports.keys.onEnd(keyId, end));
    return grant;
  };
  const refused = (error: unknown): never => {
    throw counted(ports, request.address, error);
  };
  try {
    const grant = authenticate(ports.keys, request.authorization);
    return grant instanceof Promise ? grant.then(admitted, refused) : admitted(grant);
  } catch (error) {
    return refused(error);
  }
}

function counted({ failedAttempts, metrics }: AuthenticatePorts, address: string, error: unknown): unknown {
  if (!(error instanceof HubError) || !isAboutKey(error)) return error;
  metrics.keyRefused(String(error.details['reason']));
  return error.code === 'KEY_INVALID' ? countedRefusal(failedAttempts, address, error) : error;
}

/** The store's own errors are not: a key was not even looked at. */
function isAboutKey({ code }: HubError): boolean {
  return code === 'KEY_INVALID' || code === 'KEY_REQUIRED';
}

/** Only wrong keys are counted and refused: a good one may come from the same address. */
function countedRefusal(failedAttempts: FailedAttempts, address: string, error: HubError): HubError {
  const retryAfterMs = failedAttempts.isExhausted(address);
  failedAttempts.note(address);
  if (retryAfterMs === null) return error;
  return new HubError('RATE_LIMITED', `Too many requests from this address had a wrong key. ${error.message}`, {
    hint: `${error.hint} Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`,
    details: { retryAfterMs },
  });
}
