// The formats of a Web Push: its encryption by the example of RFC 8291, its token by RFC 8292.
import { createECDH, createPrivateKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { areSubscriptionKeys, encryptPush, plaintextBytesMax } from '../../dist/signal/push/encrypt.js';
import { vapidAuthorization } from '../../dist/signal/push/vapid.js';
import { decryptPush, isShortLived, requireVapid } from '../support/push-service.js';

const bytes = (text: string) => Buffer.from(text, 'base64url');

/** RFC 8291, section 5 and appendix A. */
const example = {
  plaintext: 'When I grow up, I want to be a watermelon',
  senderPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  receiverPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};
const { p256dh, auth } = example;
const browser = { privateKey: bytes(example.receiverPrivate), publicKey: bytes(p256dh), auth: bytes(auth) };

describe('the body of a push', () => {
  it('is encrypted as in the example of RFC 8291', () => {
    const given = { salt: bytes(example.salt), privateKey: bytes(example.senderPrivate) };
    const body = encryptPush({ p256dh, auth }, Buffer.from(example.plaintext), given);
    expect(body.toString('base64url')).toBe(example.body);
    expect(decryptPush(browser, body).toString()).toBe(example.plaintext);
  });

  it('is opened by the subscription’s browser alone, and differs each time', () => {
    const [one, other] = [1, 2].map(() => encryptPush({ p256dh, auth }, Buffer.from('hello')));
    expect(decryptPush(browser, one ?? Buffer.alloc(0)).toString()).toBe('hello');
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(false);
    expect(() => decryptPush({ ...browser, auth: bytes('AAAAAAAAAAAAAAAAAAAAAA') }, one ?? Buffer.alloc(0))).toThrow();
  });

  it('has at most the 4,096 bytes that every push service takes', () => {
    expect(encryptPush({ p256dh, auth }, Buffer.alloc(plaintextBytesMax)).length).toBe(4_096);
  });

  it('is made for keys that a browser can have', () => {
    expect(areSubscriptionKeys({ p256dh, auth })).toBe(true);
    expect(areSubscriptionKeys({ p256dh, auth: 'c2hvcnQ' })).toBe(false);
    expect(areSubscriptionKeys({ p256dh: 'AAAA', auth })).toBe(false);
    expect(areSubscriptionKeys({ p256dh: bytes(p256dh).fill(1, 10).toString('base64url'), auth })).toBe(false);
  });
});

describe('the token of a push', () => {
  it('names the service, the contact and an end within a day, signed with the hub’s key', () => {
    const ecdh = createECDH('prime256v1');
    ecdh.setPrivateKey(bytes(example.senderPrivate));
    const point = ecdh.getPublicKey();
    const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    const key = { kty: 'EC', crv: 'P-256', x, y, d: example.senderPrivate };
    const keys = { publicKey: point.toString('base64url'), privateKey: createPrivateKey({ key, format: 'jwk' }) };
    const now = Date.now();
    const origin = 'https://push.example';
    const header = vapidAuthorization(keys, { origin, contact: 'mailto:ops@example.com', now });
    const claims = requireVapid(header, origin, keys.publicKey);
    expect(claims).toMatchObject({ aud: origin, sub: 'mailto:ops@example.com' });
    expect(isShortLived(claims, now)).toBe(true);
    expect(() => requireVapid(header, 'https://other.example', keys.publicKey)).toThrow('aud');
    expect(() => requireVapid(header.replace(/[^.]{6}(?=, k=)/, 'AAAAAA'), origin, keys.publicKey)).toThrow(
      'signature',
    );
  });
});
