// The header of an envelope: what the sealed text is for. It is readable, signed, and bound to the cipher text.
import type { Envelope } from '../../contract/signal/signal.js';
import { fromBase64url, labelled, sha256, utf8, type Bytes } from './bytes.js';
import { EnvelopeError } from './envelope-error.js';
import { fieldsOf } from './fields.js';

export const headerUses = ['question', 'alert', 'permission', 'answer', 'default'] as const;

export interface EnvelopeHeader {
  v: 1;
  use: (typeof headerUses)[number];
  session: string;
  /** Of the question or alert, in an answer of the question that it answers. */
  id: string;
  /** Key id of who sealed it. */
  from: string;
  /** When it was sealed, by the sealer's clock. */
  at: number;
  exp?: number;
  /** Of a permission prompt and its answer: the hash of the tool call. */
  callHash?: string;
  /** Of an answer. */
  status?: 'answered' | 'declined';
}

export type ExpectedHeader = Partial<Omit<EnvelopeHeader, 'v' | 'from' | 'at'>>;

const hMax = 2_000;
const cMax = 64 * 1024;
const wrapsMax = 100;
const shortMax = 128;

export function encodeHeader(header: EnvelopeHeader): Bytes {
  return utf8(JSON.stringify(header));
}

/** The parts of an envelope as bytes, and its header, which is not verified yet. Throws `malformed`, and before that looks at sizes alone. */
export function readEnvelope(envelope: Envelope): { header: EnvelopeHeader; h: Bytes; c: Bytes } {
  if (!isInBounds(envelope)) throw new EnvelopeError('malformed', 'This is not an envelope of version 1.');
  const h = fromBase64url(envelope.h);
  return { header: parseHeader(h), h, c: fromBase64url(envelope.c) };
}

/** The header as the sender wrote it; whoever relies on it calls `verify` or `open`. */
export function headerOf(envelope: Envelope): EnvelopeHeader {
  return readEnvelope(envelope).header;
}

export function requireHeader(header: EnvelopeHeader, expected: ExpectedHeader): void {
  const found = fieldsOf(header);
  for (const [name, value] of Object.entries(expected)) {
    if (found[name] !== value) {
      throw new EnvelopeError('wrong_header', `The envelope was made for another ${name}.`);
    }
  }
}

/** What binds a wrapped key to its envelope. */
export async function wrapInfo(h: Bytes): Promise<Bytes> {
  return labelled('wrap', await sha256(h));
}

export async function signedBytes(h: Bytes, c: Bytes): Promise<Bytes> {
  const [header, cipherText] = await Promise.all([sha256(h), sha256(c)]);
  return new Uint8Array([...header, ...cipherText]);
}

/** Also of what the caller's own program made: a value from outside the type system comes through here. */
export function isInBounds(value: unknown): value is Envelope {
  const { v, h, r, c, s } = fieldsOf(value);
  const isWrap = (wrap: unknown) => {
    const { k, e, w } = fieldsOf(wrap);
    return isText(k, shortMax) && isText(e, shortMax) && isText(w, shortMax);
  };
  return (
    v === 1 &&
    isText(h, hMax) &&
    isText(c, cMax) &&
    isText(s, shortMax) &&
    Array.isArray(r) &&
    r.length <= wrapsMax &&
    r.every(isWrap)
  );
}

function parseHeader(h: Bytes): EnvelopeHeader {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(h));
  } catch (cause) {
    throw new EnvelopeError('malformed', 'The header is not JSON.', { cause });
  }
  if (!isHeader(header)) throw new EnvelopeError('malformed', 'The header is not of version 1.');
  return header;
}

function isHeader(value: unknown): value is EnvelopeHeader {
  const { v, use, session, id, from, at, exp, callHash, status } = fieldsOf(value);
  return (
    v === 1 &&
    (headerUses as readonly unknown[]).includes(use) &&
    [session, id, from].every((text) => isText(text, hMax)) &&
    typeof at === 'number' &&
    (exp === undefined || typeof exp === 'number') &&
    (callHash === undefined || isText(callHash, hMax)) &&
    (status === undefined || status === 'answered' || status === 'declined')
  );
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= max;
}
