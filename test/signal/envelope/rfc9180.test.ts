import {
  AEAD_AES_128_GCM,
  AEAD_AES_256_GCM,
  CipherSuite,
  KDF_HKDF_SHA256,
  KDF_HKDF_SHA512,
  KEM_DHKEM_P256_HKDF_SHA256,
  KEM_DHKEM_P521_HKDF_SHA512,
  type AEADFactory,
  type CryptoKey,
  type KDFFactory,
  type KEMFactory,
} from 'hpke';
import { expect, test } from 'vitest';
import { suite } from '../../../dist/signal/envelope/keys.js';
import { vectors } from './rfc9180-vectors.js';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex');

/** The KEM, with the ephemeral key of the vector in place of a new one. */
function withEphemeral(factory: KEMFactory<CryptoKey>, ikmE: string): KEMFactory<CryptoKey> {
  const kem = factory();
  return () => ({ ...kem, GenerateKeyPair: () => kem.DeriveKeyPair(bytes(ikmE), true) });
}

const rows: [keyof typeof vectors, KEMFactory<CryptoKey>, KDFFactory, AEADFactory][] = [
  ['A.3.1', KEM_DHKEM_P256_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_128_GCM],
  ['A.6.1', KEM_DHKEM_P521_HKDF_SHA512, KDF_HKDF_SHA512, AEAD_AES_256_GCM],
];

test.each(rows)('RFC 9180 %s: a sender makes the vector, and a recipient opens it', async (name, kem, kdf, aead) => {
  const vector = vectors[name];
  const info = bytes(vector.info);
  const hpke = new CipherSuite(withEphemeral(kem, vector.ikmE), kdf, aead);
  const recipient = await hpke.DeriveKeyPair(bytes(vector.ikmR), true);
  expect(hex(await hpke.SerializePrivateKey(recipient.privateKey))).toBe(vector.skRm);
  expect(hex(await hpke.SerializePublicKey(recipient.publicKey))).toBe(vector.pkRm);
  const { encapsulatedSecret, ctx } = await hpke.SetupSender(recipient.publicKey, { info });
  expect(hex(encapsulatedSecret)).toBe(vector.enc);
  const opened = await hpke.SetupRecipient(recipient, bytes(vector.enc), { info });
  for (const { pt, aad, ct } of vector.encryptions) {
    expect(hex(await ctx.Seal(bytes(pt), bytes(aad)))).toBe(ct);
    expect(hex(await opened.Open(bytes(ct), bytes(aad)))).toBe(pt);
  }
});

test('envelopes use the P-256 KEM, HKDF-SHA256 and AES-256-GCM of the RFC', () => {
  expect([suite.KEM.id, suite.KDF.id, suite.AEAD.id]).toEqual([0x0010, 0x0001, 0x0002]);
});
