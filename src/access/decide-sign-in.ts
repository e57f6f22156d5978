// How long a browser stays signed in with a key, and who is refused. Pure: the store calls it in its transaction.
import { HubError } from '../contract/errors.js';
import type { Grant } from '../ports/caller.js';

const dayMs = 24 * 60 * 60_000;
/** Or until the key ends. After it the key is pasted again. */
const signInMs = 7 * dayMs;
/** With one key; the oldest ends when there is one more. */
export const signInsMax = 10;
/** How long an observer's link may wait to be opened. */
const linkMs = dayMs;

export function signedInUntil({ expiresAt }: Pick<Grant, 'expiresAt'>, at: number): number {
  return Math.min(at + signInMs, expiresAt ?? Infinity);
}

export function linkOpensUntil(expiresAt: number, at: number): number {
  return Math.min(at + linkMs, expiresAt);
}

/** An agent's key is for its program: a page beside it would read the same inbox. */
export function requireMaySignIn({ isPerson, capabilities, agentId }: Grant): void {
  if (isPerson || agentId === null || capabilities.has('admin')) return;
  throw new HubError('FORBIDDEN', `The key is for the agent '${agentId}', and an agent does not sign in here.`, {
    hint: 'Use the key of a person (coterie people add NAME --key), of an administrator or of an observer.',
  });
}

export function noKeysYet(): HubError {
  return new HubError('FORBIDDEN', 'This hub has no keys: on its own machine anyone may look, and nobody else can.', {
    hint: 'Open its address there. For others make the first key: coterie keys create --agent NAME --admin',
  });
}

/** The same for one that never existed. */
export function linkInvalid(): HubError {
  return new HubError('SIGN_IN_FAILED', 'This link does not work: it was opened before, is too old, or was revoked.', {
    hint: 'Ask for another one: coterie observe',
  });
}
