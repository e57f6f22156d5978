// Derives the hub's keys from its secret.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, KeyObject, randomBytes } from 'node:crypto';
import type { BoxUse, HubIdentity, HubSecret, MacUse } from '../../ports/hub-secret.js';
import { deriveKeys, deriveSigningPair, rawPoint, toBase64url, type SignalKeys } from '../envelope/index.js';

export const secretBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/** With the private keys: for the sealer alone. */
export interface OpenedSecret extends Omit<HubSecret, 'requireOurs'> {
  readonly keys: SignalKeys;
}

export async function openSecret(secret: Uint8Array): Promise<OpenedSecret> {
  const derive = (use: string) => new Uint8Array(hkdfSync('sha256', secret, '', `coterie/hub/v1/${use}`, secretBytes));
  const keys = await deriveKeys({ encryption: derive('encryption'), signing: derive('signing') });
  const vapid = await deriveSigningPair(derive('vapid'), true);
  const boxKey = derive('box');
  const macKey = derive('mac');
  const identity: HubIdentity = { ...keys.public, vapid: toBase64url(await rawPoint(vapid.publicKey)) };
  return {
    keys,
    identity,
    vapidKey: KeyObject.from(vapid.privateKey),
    box: (use, text) => box(boxKey, use, text),
    unbox: (use, boxed) => unbox(boxKey, use, boxed),
    mac: (use: MacUse, text) => createHmac('sha256', macKey).update(`${use}\0${text}`).digest('base64url'),
  };
}

function box(key: Uint8Array, use: BoxUse, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(use));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function unbox(key: Uint8Array, use: BoxUse, boxed: string): string {
  const bytes = Buffer.from(boxed, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) throw new Error('This is not a box of a hub.');
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes)).setAAD(Buffer.from(use));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}
