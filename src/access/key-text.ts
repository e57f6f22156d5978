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

export function makeKeyText(): NewKeyText {
  const id = Array.from({ length: idLength }, () => idChars[randomInt(idChars.length)]).join('');
  const secret = randomBytes(32).toString('base64url');
  return { id, text: `coterie_${id}_${secret}`, hash: hash('sha256', secret, 'hex') };
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
