// The two key pairs of a device, an agent's program or the hub.
import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_P256_HKDF_SHA256 } from 'hpke';
import type { CryptoKey, KeyPair } from 'hpke';
import type { PublicKeys } from '../../contract/signal/signal.js';
import { fromBase64url, labelled, sha256, toBase64url, type Bytes } from './bytes.js';
import { EnvelopeError } from './envelope-error.js';

export type SignalKeyPair = KeyPair<CryptoKey>;

export interface SignalKeys {
  encryption: SignalKeyPair;
  signing: SignalKeyPair;
  public: PublicKeys;
}

/** Extractable keys as text, for a program that keeps them in a file. */
export interface SavedKeys {
  /** PKCS #8, base64url. */
  encryption: string;
  signing: string;
  public: PublicKeys;
}

export const suite = new CipherSuite(KEM_DHKEM_P256_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM);

const ecdh = { name: 'ECDH', namedCurve: 'P-256' } as const;
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' } as const;
/** An uncompressed P-256 point. */
const pointBytes = 65;

/** Not extractable: a page can use the private keys, and nobody can read them. */
export async function newKeys(isExtractable: boolean): Promise<SignalKeys> {
  const encryption = await crypto.subtle.generateKey(ecdh, isExtractable, ['deriveBits']);
  const signing = await crypto.subtle.generateKey(ecdsa, isExtractable, ['sign', 'verify']);
  return withPublic({ encryption, signing });
}

/** The same secrets always give the same keys. Each secret has at least 32 bytes and serves nothing else. */
export async function deriveKeys(secrets: { encryption: Bytes; signing: Bytes }): Promise<SignalKeys> {
  const encryption = await suite.DeriveKeyPair(secrets.encryption, false);
  return withPublic({ encryption, signing: await deriveSigningPair(secrets.signing, false) });
}

/** Also of a VAPID key. */
export async function deriveSigningPair(secret: Bytes, isExtractable: boolean): Promise<SignalKeyPair> {
  const { privateKey, publicKey } = await suite.DeriveKeyPair(secret, true);
  return {
    privateKey: await crypto.subtle.importKey('pkcs8', await pkcs8(privateKey), ecdsa, isExtractable, ['sign']),
    publicKey: await crypto.subtle.importKey('raw', await rawPoint(publicKey), ecdsa, true, ['verify']),
  };
}

export async function saveKeys(keys: SignalKeys): Promise<SavedKeys> {
  return {
    encryption: toBase64url(await pkcs8(keys.encryption.privateKey)),
    signing: toBase64url(await pkcs8(keys.signing.privateKey)),
    public: keys.public,
  };
}

export async function restoreKeys(saved: SavedKeys): Promise<SignalKeys> {
  const { public: publicKeys } = saved;
  await requireKid(publicKeys);
  const encryption = await crypto.subtle.importKey('pkcs8', fromBase64url(saved.encryption), ecdh, true, [
    'deriveBits',
  ]);
  const signing = await crypto.subtle.importKey('pkcs8', fromBase64url(saved.signing), ecdsa, true, ['sign']);
  return {
    encryption: { privateKey: encryption, publicKey: await encryptionKeyOf(publicKeys) },
    signing: { privateKey: signing, publicKey: await signingKeyOf(publicKeys) },
    public: publicKeys,
  };
}

async function publicKeysOf(keys: Pick<SignalKeys, 'encryption' | 'signing'>): Promise<PublicKeys> {
  const encryption = await rawPoint(keys.encryption.publicKey);
  const signing = await rawPoint(keys.signing.publicKey);
  return {
    kid: await kidOf(encryption, signing),
    encryption: toBase64url(encryption),
    signing: toBase64url(signing),
  };
}

/** Throws unless the key id is the hash of these keys and both are points of the curve. */
export async function requireKid(keys: PublicKeys): Promise<void> {
  const encryption = fromBase64url(keys.encryption);
  const signing = fromBase64url(keys.signing);
  if (encryption.length !== pointBytes || signing.length !== pointBytes) {
    throw new EnvelopeError('malformed', 'A public key is not an uncompressed P-256 point.');
  }
  if (keys.kid !== (await kidOf(encryption, signing))) {
    throw new EnvelopeError('wrong_kid', 'The key id is not the hash of these keys.');
  }
  await encryptionKeyOf(keys);
  await signingKeyOf(keys);
}

export async function encryptionKeyOf({ encryption }: PublicKeys): Promise<CryptoKey> {
  return importPoint(encryption, ecdh, []);
}

export async function signingKeyOf({ signing }: PublicKeys): Promise<CryptoKey> {
  return importPoint(signing, ecdsa, ['verify']);
}

export async function rawPoint(key: CryptoKey): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.exportKey('raw', key));
}

async function withPublic(pairs: Pick<SignalKeys, 'encryption' | 'signing'>): Promise<SignalKeys> {
  return { ...pairs, public: await publicKeysOf(pairs) };
}

async function kidOf(encryption: Bytes, signing: Bytes): Promise<string> {
  return toBase64url((await sha256(labelled('kid', encryption, signing))).slice(0, 16));
}

async function pkcs8(key: CryptoKey): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.exportKey('pkcs8', key));
}

async function importPoint(point: string, algorithm: typeof ecdh | typeof ecdsa, uses: 'verify'[]): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('raw', fromBase64url(point), algorithm, true, uses);
  } catch (cause) {
    throw new EnvelopeError('malformed', 'A public key is not a point of P-256.', { cause });
  }
}
