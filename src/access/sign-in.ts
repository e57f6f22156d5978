// Signs a browser in with a key that was pasted once, or by an observer's link. The browser gets a key of its own, in a cookie,
// with the same rights; it ends with the key that it was made by.
import { createHash } from 'node:crypto';
import type { Clock } from '../ports/clock.js';
import type { Grant } from '../ports/caller.js';
import type { Store } from '../ports/store.js';
import { grantOfKey, keyInvalid, type AuthenticatePorts } from './authenticate.js';
import { linkInvalid, noKeysYet, requireMaySignIn, signedInUntil } from './decide-sign-in.js';
import { makeKeyText } from './key-text.js';

export interface SignInPorts extends AuthenticatePorts {
  store: Pick<Store, 'signInWithKey' | 'redeemObserverLink'>;
  clock: Clock;
  keysChanged: () => void;
  /** Counts it as a call of the key, or refuses it. */
  spend: (grant: Grant) => void;
}

/** For the cookie. */
export interface BrowserSignIn {
  key: string;
  /** How long it lasts. */
  seconds: number;
}

export async function signInByKey(ports: SignInPorts, pasted: string, address: string): Promise<BrowserSignIn> {
  const { store, clock, keys } = ports;
  if (keys.isOpen) throw noKeysYet();
  const grant = await grantOfKey(ports, pasted.trim(), address);
  ports.spend(grant);
  requireMaySignIn(grant);
  const at = clock.now();
  const { sessionId, agentId, keyId } = grant;
  const { id, text, hash } = makeKeyText();
  const signIn = { id, hash, expiresAt: signedInUntil(grant, at) };
  const act = { act: 'sign_in', target: keyId, details: { how: 'key' } };
  const audit = { sessionId, at, actor: agentId ?? '', keyId, address, ...act };
  // Null if the key has ended since it was checked: what is known of it is out of date.
  const key = await store.signInWithKey({ keyId, signIn, at, audit });
  ports.keysChanged();
  if (key === null) throw keyInvalid({ fault: 'unknown' });
  return { key: text, seconds: secondsUntil(signIn.expiresAt, at) };
}

export async function signInByLink(
  ports: SignInPorts,
  { linkId, secret }: { linkId: string; secret: string },
  address: string,
): Promise<BrowserSignIn> {
  const at = ports.clock.now();
  const { id, text, hash } = makeKeyText();
  const signIn = { id, hash };
  const made = await ports.store.redeemObserverLink({
    id: linkId,
    claimHash: hashOfSecret(secret),
    signIn,
    at,
    address,
  });
  if (made === null) throw linkInvalid();
  ports.keysChanged();
  return { key: text, seconds: secondsUntil(made.expiresAt, at) };
}

function secondsUntil(end: number, at: number): number {
  return Math.max(0, Math.floor((end - at) / 1_000));
}

/** 256 random bits: a plain hash tells nothing of them. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
