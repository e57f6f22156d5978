// Bytes, texts and hashes. This folder runs in browsers too: WebCrypto and `hpke`, nothing of Node.
import { EnvelopeError } from './envelope-error.js';

export type Bytes = Uint8Array<ArrayBuffer>;

/** Leads everything that is hashed, derived or signed here, so that no value of one use passes for another's. */
const label = 'coterie/signal/v1/';

export function labelled(use: string, ...parts: readonly Uint8Array[]): Bytes {
  return concat(utf8(`${label}${use}\0`), ...parts);
}

export function utf8(text: string): Bytes {
  return new Uint8Array(new TextEncoder().encode(text));
}

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export function toBase64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Throws for anything but base64url without padding. */
export function fromBase64url(text: string): Bytes {
  if (typeof text !== 'string' || !/^[\w-]*$/.test(text) || text.length % 4 === 1) {
    throw new EnvelopeError('malformed', 'A value is not base64url.');
  }
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
