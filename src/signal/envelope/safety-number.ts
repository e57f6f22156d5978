// The number that two sides compare: equal only if both have the same keys of each other.
import type { PublicKeys } from '../../contract/signal/signal.js';
import { labelled, utf8 } from './bytes.js';

// Slow on purpose: it multiplies the work of finding keys with the same number.
const iterations = 100_000;
const digits = 30;

/** 30 digits in groups of five; the order of the two does not matter. */
export async function safetyNumber(one: PublicKeys, other: PublicKeys): Promise<string> {
  const both = [one.kid, other.kid].toSorted().join('\0');
  const key = await crypto.subtle.importKey('raw', utf8(both), 'PBKDF2', false, ['deriveBits']);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: labelled('safety-number'), iterations };
  const bytes = new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
  const number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 10n ** BigInt(digits);
  return (number.toString().padStart(digits, '0').match(/\d{5}/g) ?? []).join(' ');
}
