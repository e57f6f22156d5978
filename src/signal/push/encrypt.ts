// Encrypts the body of a Web Push message for one subscription: RFC 8291 with the coding aes128gcm of RFC 8188.
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

export interface SubscriptionKeys {
  /** The browser's public key, base64url of the raw P-256 point. */
  p256dh: string;
  /** Base64url of 16 bytes. */
  auth: string;
}

/** A body of 4,096 bytes, which every push service accepts, less header, delimiter and tag. */
export const plaintextBytesMax = 3_993;

const recordBytes = 4_096;
const curve = 'prime256v1';

/** Given by tests only: the RFC's example has them. */
export interface Randomness {
  salt: Buffer;
  privateKey: Buffer;
}

export function encryptPush(keys: SubscriptionKeys, plaintext: Buffer, given?: Randomness): Buffer {
  const receiver = Buffer.from(keys.p256dh, 'base64url');
  const ecdh = createECDH(curve);
  if (given === undefined) ecdh.generateKeys();
  else ecdh.setPrivateKey(given.privateKey);
  const sender = ecdh.getPublicKey();
  const salt = given?.salt ?? randomBytes(16);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender]);
  const secret = hkdf(ecdh.computeSecret(receiver), Buffer.from(keys.auth, 'base64url'), info, 32);
  const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = hkdf(secret, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordBytes);
  // 2: the last record.
  const sealed = [cipher.update(plaintext), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, size, Buffer.from([sender.length]), sender, ...sealed]);
}

/** Whether these can be the keys of a subscription: a point on the curve and 16 bytes. */
export function areSubscriptionKeys({ p256dh, auth }: SubscriptionKeys): boolean {
  try {
    const ecdh = createECDH(curve);
    ecdh.generateKeys();
    ecdh.computeSecret(Buffer.from(p256dh, 'base64url'));
    return Buffer.from(auth, 'base64url').length === 16;
  } catch {
    return false;
  }
}

function hkdf(key: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, bytes));
}
