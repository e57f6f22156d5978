// Signatures by the signing key, each bound to what it is for.
import type { PublicKeys } from '../../contract/signal/signal.js';
import { fromBase64url, labelled, toBase64url, type Bytes } from './bytes.js';
import { signingKeyOf, type SignalKeys } from './keys.js';

const algorithm = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** `envelope`: of a sealed text; `sign-in`: of a challenge; `pair`: of a new device's keys; `rotate`: of the keys that replace these. */
export type SignatureUse = 'envelope' | 'sign-in' | 'pair' | 'rotate';

export async function signBytes(keys: SignalKeys, use: SignatureUse, bytes: Uint8Array): Promise<string> {
  const signed = labelled(`sign/${use}`, bytes);
  return toBase64url(new Uint8Array(await crypto.subtle.sign(algorithm, keys.signing.privateKey, signed)));
}

export interface Signed {
  bytes: Uint8Array;
  signature: string;
}

export async function verifyBytes(keys: PublicKeys, use: SignatureUse, { bytes, signature }: Signed): Promise<boolean> {
  let given: Bytes;
  try {
    given = fromBase64url(signature);
  } catch {
    return false;
  }
  return crypto.subtle.verify(algorithm, await signingKeyOf(keys), given, labelled(`sign/${use}`, bytes));
}
