// From a request's Authorization header, or the cookie of a browser's sign-in, to a grant, once per request and before it is
// routed. A verifier for tokens of an OAuth issuer would be asked here, beside the key ring, and return a grant too.
import { HubError } from '../contract/errors.js';
import type { Grant } from '../ports/caller.js';
import type { Metrics } from '../ports/metrics.js';
import type { FailedAttempts } from './failed-attempts.js';
import type { KeyCheck, KeyFault, KeyRing } from './key-ring.js';

/**
 * Null in open mode. Throws KEY_REQUIRED or KEY_INVALID, or the store's error: out of reach is never taken for a wrong key. A
 * promise only if the store has to be asked.
 */
function authenticate(ring: KeyRing, request: Credentials): Grant | null | Promise<Grant | null> {
  if (!ring.isFresh) return ring.compare().then(() => grantOf(ring, request));
  return grantOf(ring, request);
}

function grantOf(ring: KeyRing, request: Credentials): Grant | null | Promise<Grant | null> {
  if (ring.isOpen) return signedIn(ring, request);
  const [header, ...others] = request.authorization;
  if (others.length > 0) throw severalKeys();
  if (header === undefined) return grantOfSignIn(ring, request);
  const token = /^Bearer +([^ ]+) *$/i.exec(header)?.[1];
  // A client whose variable is not set may send the scheme alone.
  if (token === undefined) throw /^Bearer *$/i.test(header) ? keyRequired() : keyInvalid({ fault: 'malformed' });
  if (/^[$%{]/.test(token)) throw unsetVariable();
  return checked(ring.check(token), grantIn);
}

/** What is in a cookie is no key to show. */
function grantIn(check: KeyCheck): Grant {
  if ('fault' in check) throw keyInvalid(check);
  if (check.grant.signInId !== null) throw keyInvalid({ fault: 'unknown' });
  return check.grant;
}

/** Of a key that was pasted into the hub's page: refused and counted as one in a header is. */
export async function grantOfKey(ports: AuthenticatePorts, text: string, address: string): Promise<Grant> {
  try {
    if (!ports.keys.isFresh) await ports.keys.compare();
    return grantIn(await ports.keys.check(text));
  } catch (error) {
    throw counted(ports, address, error);
  }
}

/** A page of another origin can make a browser send its cookies. */
function grantOfSignIn(ring: KeyRing, { signIn, isOwnPage }: Credentials): Grant | Promise<Grant> {
  if (signIn === null) throw keyRequired();
  if (!isOwnPage) throw pageNeeded();
  return checked(ring.check(signIn), (check) => {
    if ('fault' in check || check.grant.signInId === null) {
      throw signInEnded('fault' in check ? check.fault : 'unknown');
    }
    return check.grant;
  });
}

/** Null without a sign-in that works: what needs none is served all the same. */
export function signedIn(ring: KeyRing, { signIn, isOwnPage }: Credentials): Grant | null | Promise<Grant | null> {
  if (signIn === null || !isOwnPage) return null;
  return checked(ring.check(signIn), (check) =>
    'fault' in check || check.grant.signInId === null ? null : check.grant,
  );
}

function checked<Result>(check: KeyCheck | Promise<KeyCheck>, use: (check: KeyCheck) => Result) {
  return check instanceof Promise ? check.then(use) : use(check);
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

export function keyInvalid(check: Exclude<KeyCheck, { grant: Grant }>): HubError {
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

function signInEnded(fault: KeyFault): HubError {
  return new HubError('KEY_INVALID', 'The sign-in of this browser does not work any more.', {
    hint: 'Open the hub’s page again: a paired device signs in by itself; else pair it (coterie pair), or paste a key.',
    details: { reason: fault },
  });
}

function pageNeeded(): HubError {
  return new HubError('ORIGIN_REFUSED', 'A sign-in works only for the hub’s own page.', {
    hint: 'A program sends a key, as the header Authorization: Bearer KEY.',
  });
}

function severalKeys(): HubError {
  return new HubError('KEY_INVALID', 'The request has more than one Authorization header.', {
    hint: 'Send one key.',
    details: { reason: 'several' },
  });
}

export interface Credentials {
  /** All of the request's Authorization headers. */
  authorization: readonly string[];
  /** The key in the cookie of a browser's sign-in. */
  signIn: string | null;
  /** The hub's own page made the request, and the browser says so. */
  isOwnPage: boolean;
}

export interface KeyedRequest extends Credentials {
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

function refusalOf(grant: Grant | null, fault: KeyFault): HubError {
  if (grant === null) return keyRequired();
  return grant.signInId === null ? keyInvalid({ fault }) : signInEnded(fault);
}

/** Also ends the request, if it is still open then, when its key ends, or open mode does. */
export function admitRequest(ports: AuthenticatePorts, request: KeyedRequest): Grant | null | Promise<Grant | null> {
  const admitted = (grant: Grant | null): Grant | null => {
    const keyId = grant?.signInId ?? grant?.keyId ?? null;
    const end = (fault: KeyFault) => request.refuse(refusalOf(grant, fault));
    request.onEnd(ports.keys.onEnd(keyId, end));
    return grant;
  };
  const refused = (error: unknown): never => {
    throw counted(ports, request.address, error);
  };
  try {
    const grant = authenticate(ports.keys, request);
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
