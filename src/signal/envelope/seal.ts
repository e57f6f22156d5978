// Seals a text for several recipients: one cipher text, its key wrapped for each of them, all signed.
import type { Envelope, PublicKeys, WrappedKey } from '../../contract/signal/signal.js';
import { concat, fromBase64url, toBase64url, utf8, type Bytes } from './bytes.js';
import { EnvelopeError } from './envelope-error.js';
import { encodeHeader, isInBounds, readEnvelope, signedBytes, wrapInfo, type EnvelopeHeader } from './header.js';
import { encryptionKeyOf, requireKid, suite, type SignalKeys } from './keys.js';
import { unwrapKey } from './open.js';
import { pad } from './padding.js';
import { signBytes } from './sign.js';

const nonceBytes = 12;
const contentKeyBytes = 32;

export interface Sealing {
  header: Omit<EnvelopeHeader, 'v' | 'from'>;
  /** Anything that JSON can express. */
  payload: unknown;
}

export async function seal(
  from: SignalKeys,
  recipients: readonly PublicKeys[],
  { header, payload }: Sealing,
): Promise<Envelope> {
  const h = encodeHeader({ v: 1, ...header, from: from.public.kid });
  const contentKey = crypto.getRandomValues(new Uint8Array(contentKeyBytes));
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const key = await crypto.subtle.importKey('raw', contentKey, 'AES-GCM', false, ['encrypt']);
  const padded = pad(utf8(JSON.stringify(payload)));
  const cipherText = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData: h }, key, padded);
  const c = concat(nonce, new Uint8Array(cipherText));
  const info = await wrapInfo(h);
  const envelope: Envelope = {
    v: 1,
    h: toBase64url(h),
    r: await Promise.all(recipients.map((recipient) => wrap(contentKey, recipient, info))),
    c: toBase64url(c),
    s: await signBytes(from, 'envelope', await signedBytes(h, c)),
  };
  if (!isInBounds(envelope)) throw new EnvelopeError('too_large', 'The text is too long, or has too many readers.');
  return envelope;
}

/** Wraps the content key for one more reader: only who can read the envelope can do this. */
export async function wrapFor(me: SignalKeys, envelope: Envelope, recipient: PublicKeys): Promise<WrappedKey> {
  const { h } = readEnvelope(envelope);
  const info = await wrapInfo(h);
  return wrap(await unwrapKey(me, envelope, info), recipient, info);
}

async function wrap(contentKey: Bytes, recipient: PublicKeys, info: Bytes): Promise<WrappedKey> {
  await requireKid(recipient);
  const { encapsulatedSecret, ciphertext } = await suite.Seal(await encryptionKeyOf(recipient), contentKey, {
    info,
    aad: utf8(recipient.kid),
  });
  return { k: recipient.kid, e: toBase64url(encapsulatedSecret), w: toBase64url(ciphertext) };
}

/** The envelope as it is handed to one reader. */
export function envelopeFor(envelope: Envelope, kid: string): Envelope {
  return { ...envelope, r: envelope.r.filter(({ k }) => k === kid) };
}

/** Random bytes as text, of a pairing secret or a challenge. */
export function randomText(bytes: number): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** True if it has the form of a wrapped content key: 32 bytes and the tag, for a P-256 point. */
export function isWrapForm({ e, w }: WrappedKey): boolean {
  try {
    return fromBase64url(e).length === 65 && fromBase64url(w).length === contentKeyBytes + 16;
  } catch {
    return false;
  }
}
