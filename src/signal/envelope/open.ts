// Verifies an envelope and opens it. Nothing of it is believed before the signature.
import type { Envelope, PublicKeys } from '../../contract/signal/signal.js';
import { fromBase64url, utf8, type Bytes } from './bytes.js';
import { EnvelopeError } from './envelope-error.js';
import {
  readEnvelope,
  requireHeader,
  signedBytes,
  wrapInfo,
  type EnvelopeHeader,
  type ExpectedHeader,
} from './header.js';
import { requireKid, suite, type SignalKeys } from './keys.js';
import { unpad } from './padding.js';
import { verifyBytes } from './sign.js';

const nonceBytes = 12;

export interface Expected {
  /** Whose signature counts. Revoked devices are not among them. */
  senders: readonly PublicKeys[];
  /** What the header must say: at least its use, session and id. */
  header: ExpectedHeader;
}

export interface Opened {
  header: EnvelopeHeader;
  sender: PublicKeys;
  payload: unknown;
}

/** Who signed it, for whoever cannot or need not read it. */
export async function verify(envelope: Envelope, expected: Expected): Promise<Omit<Opened, 'payload'>> {
  const { header, h, c } = readEnvelope(envelope);
  const sender = expected.senders.find(({ kid }) => kid === header.from);
  if (sender === undefined) throw new EnvelopeError('unknown_sender', 'Nobody known has sealed this.');
  await requireKid(sender);
  const signed = { bytes: await signedBytes(h, c), signature: envelope.s };
  if (!(await verifyBytes(sender, 'envelope', signed))) {
    throw new EnvelopeError('bad_signature', 'The signature is not of this envelope.');
  }
  requireHeader(header, expected.header);
  return { header, sender };
}

export async function open(me: SignalKeys, envelope: Envelope, expected: Expected): Promise<Opened> {
  const verified = await verify(envelope, expected);
  const { h, c } = readEnvelope(envelope);
  const contentKey = await unwrapKey(me, envelope, await wrapInfo(h));
  return { ...verified, payload: await decrypt(contentKey, h, c) };
}

/** The content key; throws `not_for_me` or `unreadable`. */
export async function unwrapKey(me: SignalKeys, { r }: Envelope, info: Bytes): Promise<Bytes> {
  const mine = r.find(({ k }) => k === me.public.kid);
  if (mine === undefined) throw new EnvelopeError('not_for_me', 'This was not sealed for these keys.');
  const secret = fromBase64url(mine.e);
  try {
    const aad = utf8(mine.k);
    return new Uint8Array(await suite.Open(me.encryption, secret, fromBase64url(mine.w), { info, aad }));
  } catch (cause) {
    throw new EnvelopeError('unreadable', 'The wrapped key does not open.', { cause });
  }
}

async function decrypt(contentKey: Bytes, h: Bytes, c: Bytes): Promise<unknown> {
  let padded: Bytes;
  try {
    const key = await crypto.subtle.importKey('raw', contentKey, 'AES-GCM', false, ['decrypt']);
    const algorithm = { name: 'AES-GCM', iv: c.slice(0, nonceBytes), additionalData: h };
    padded = new Uint8Array(await crypto.subtle.decrypt(algorithm, key, c.slice(nonceBytes)));
  } catch (cause) {
    throw new EnvelopeError('unreadable', 'The text does not open.', { cause });
  }
  const text = new TextDecoder().decode(unpad(padded));
  try {
    return JSON.parse(text);
  } catch {
    // Without the cause: its message quotes the text.
    throw new EnvelopeError('unreadable', 'The text is not JSON.');
  }
}
