// What both sides of a pairing derive from its secret. The hub gets the claim, never the key of the MAC.
import { fromBase64url, toBase64url, utf8, type Bytes } from './bytes.js';

export interface PairedKeys {
  kid: string;
  person: string;
}

/** Shows the hub that the device has the pairing's secret (base64url). The hub keeps its hash. */
export async function pairingClaim(secret: string): Promise<string> {
  return toBase64url(await derive(secret, 'coterie/pair/claim'));
}

/** Binds the device's keys to the secret and the person, for whoever made the secret. */
export async function pairingMac(secret: string, { kid, person }: PairedKeys): Promise<string> {
  const key = await macKey(secret, 'sign');
  return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, macInput(kid, person))));
}

export async function isPairingMac(secret: string, paired: PairedKeys & { mac: string }): Promise<boolean> {
  let mac: Bytes;
  try {
    mac = fromBase64url(paired.mac);
  } catch {
    return false;
  }
  return crypto.subtle.verify('HMAC', await macKey(secret, 'verify'), mac, macInput(paired.kid, paired.person));
}

async function macKey(secret: string, use: 'sign' | 'verify') {
  const bytes = await derive(secret, 'coterie/pair/mac');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

function macInput(kid: string, person: string): Bytes {
  return utf8(`${kid}\0${person}`);
}

async function derive(secret: string, info: string): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', fromBase64url(secret), 'HKDF', false, ['deriveBits']);
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
}
