// A device signs in with a signature of a challenge. The challenge is not stored: it carries its end and the hub's MAC.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { makeKeyText } from '../../access/key-text.js';
import type { SignInRequest } from '../../contract/signal/app.js';
import { HubError } from '../../contract/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { HubSecret } from '../../ports/hub-secret.js';
import type { SignedIn, Store } from '../../ports/store.js';
import { verifyBytes } from '../envelope/index.js';
import { challengeMs, signInMs } from './decide-pairing.js';
import { signInBytes } from './signed-bytes.js';

export interface SignInPorts {
  store: Pick<Store, 'findDevice' | 'signInDevice' | 'signOutDevice'>;
  clock: Clock;
  hubSecret: Pick<HubSecret, 'identity' | 'mac' | 'requireOurs'>;
  keysChanged: () => void;
}

/** Also for a device that does not exist, so that nobody learns which do. */
export async function makeChallenge(
  { clock, hubSecret }: SignInPorts,
  id: string,
): Promise<{ challenge: string; hubKid: string }> {
  await hubSecret.requireOurs();
  const body = `${(clock.now() + challengeMs).toString(36)}.${randomBytes(16).toString('base64url')}`;
  return { challenge: `${body}.${macOf(hubSecret, id, body)}`, hubKid: hubSecret.identity.kid };
}

export async function signIn(ports: SignInPorts, input: SignInRequest): Promise<SignedIn> {
  const { store, clock, hubSecret, keysChanged } = ports;
  await hubSecret.requireOurs();
  const at = clock.now();
  const isFresh = isChallenge(hubSecret, input, at);
  const device = isFresh ? await store.findDevice({ id: input.deviceId }) : null;
  if (device === null) throw signInFailed();
  const bytes = signInBytes({ ...input, hubKid: hubSecret.identity.kid });
  if (!(await verifyBytes(device, 'sign-in', { bytes, signature: input.signature }))) throw signInFailed();
  // The key's id is the challenge's: a second sign-in with it finds the first, on any hub.
  const { id, text, hash } = makeKeyText(input.challenge);
  const plan = { deviceId: device.id, signIn: { id, hash, expiresAt: at + signInMs }, at };
  const signedIn = await store.signInDevice(plan);
  if (signedIn === null) throw signInFailed();
  keysChanged();
  return { device: signedIn, key: text, seconds: signInMs / 1_000 };
}

function isChallenge(
  hubSecret: SignInPorts['hubSecret'],
  { deviceId: id, challenge }: SignInRequest,
  at: number,
): boolean {
  const [end = '', nonce = '', mac = '', ...rest] = challenge.split('.');
  const expected = Buffer.from(macOf(hubSecret, id, `${end}.${nonce}`));
  const given = Buffer.from(mac);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return Number.parseInt(end, 36) > at;
}

function macOf(hubSecret: SignInPorts['hubSecret'], id: string, body: string): string {
  return hubSecret.mac('challenge', `${id}\0${body}`);
}

export async function signOut({ store, keysChanged }: SignInPorts, keyId: string): Promise<void> {
  await store.signOutDevice({ keyId });
  keysChanged();
}

/** The same for a device that is unknown or revoked, and for a challenge that is old, used or of another device. */
function signInFailed(): HubError {
  return new HubError('SIGN_IN_FAILED', 'The device could not sign in.', {
    hint: 'Ask for a new challenge and sign it. If that fails too, the device was revoked: pair it again with coterie pair',
  });
}
