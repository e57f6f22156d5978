import { expect, test } from 'vitest';
import {
  isPairingMac,
  newKeys,
  pairingClaim,
  pairingMac,
  randomText,
  safetyNumber,
  signBytes,
  utf8,
  verifyBytes,
} from '../../../dist/signal/envelope/index.js';

test('a signature counts for its own use, bytes and keys', async () => {
  const [keys, others] = [await newKeys(false), await newKeys(false)];
  const bytes = utf8('challenge');
  const signature = await signBytes(keys, 'sign-in', bytes);
  expect(await verifyBytes(keys.public, 'sign-in', { bytes, signature })).toBe(true);
  expect(await verifyBytes(keys.public, 'pair', { bytes, signature })).toBe(false);
  expect(await verifyBytes(keys.public, 'sign-in', { bytes: utf8('challengf'), signature })).toBe(false);
  expect(await verifyBytes(others.public, 'sign-in', { bytes, signature })).toBe(false);
  for (const wrong of ['', 'AAAA', 'not base64url!']) {
    expect(await verifyBytes(keys.public, 'sign-in', { bytes, signature: wrong })).toBe(false);
  }
});

test('a safety number has 30 digits, is the same from both sides, and differs for other keys', async () => {
  const [one, other, third] = await Promise.all([newKeys(false), newKeys(false), newKeys(false)]);
  const number = await safetyNumber(one.public, other.public);
  expect(number).toMatch(/^\d{5}( \d{5}){5}$/);
  expect(await safetyNumber(other.public, one.public)).toBe(number);
  expect(await safetyNumber(one.public, third.public)).not.toBe(number);
});

test("the pairing's MAC binds keys and person to the secret; the claim gives neither away", async () => {
  const secret = randomText(16);
  const paired = { kid: 'kid', person: 'me' };
  const mac = await pairingMac(secret, paired);
  expect(await isPairingMac(secret, { ...paired, mac })).toBe(true);
  expect(await isPairingMac(secret, { ...paired, kid: 'kie', mac })).toBe(false);
  expect(await isPairingMac(secret, { ...paired, person: 'you', mac })).toBe(false);
  expect(await isPairingMac(randomText(16), { ...paired, mac })).toBe(false);
  expect(await isPairingMac(secret, { ...paired, mac: '?' })).toBe(false);
  const claim = await pairingClaim(secret);
  expect(claim).toBe(await pairingClaim(secret));
  expect(claim).not.toBe(await pairingClaim(randomText(16)));
  expect(claim).not.toBe(mac);
});
