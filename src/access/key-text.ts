// A key as text: `coterie_<id>_<secret>`. The id is public; of the secret only a hash is stored.
import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const idChars = 'abcdefghijkmnpqrstuvwxyz23456789';
const idLength = 12;
const keyPattern = /^coterie_([a-z0-9]{12})_([A-Za-z0-9_-]{43})$/;

export interface NewKeyText {
  id: string;
  /** Shown once, never stored. */
  text: string;
  hash: string;
}

/** With `once` the id follows from it: a second key of the same finds the first. */
export function makeKeyText(once?: string): NewKeyText {
  const id = once === undefined ? randomId() : idFrom(once);
  const secret = randomBytes(32).toString('base64url');
  return { id, text: `coterie_${id}_${secret}`, hash: hash('sha256', secret, 'hex') };
}

function randomId(): string {
  return Array.from({ length: idLength }, () => idChars[randomInt(idChars.length)]).join('');
}

function idFrom(once: string): string {
  const bytes = hash('sha256', once, 'buffer').subarray(0, idLength);
  return Array.from(bytes, (byte) => idChars[byte % idChars.length]).join('');
}

export interface PresentedKey {
  id: string;
  secret: string;
}

/** Undefined for a text that cannot be a key: cut short, mistyped, or something else. */
export function readKeyText(text: string): PresentedKey | undefined {
  const [, id, secret] = keyPattern.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** In constant time. `stored` is the hash of the key's secret, as bytes. */
export function isSecretOf({ secret }: PresentedKey, stored: Buffer): boolean {
  return timingSafeEqual(hash('sha256', secret, 'buffer'), stored);
}
