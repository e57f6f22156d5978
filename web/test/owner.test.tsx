import { describe, expect, it } from 'vitest';
import { decideFate, headersOf, isOtherSignIn, localOwner, ownerIn, type Owner } from '../src/data/owner.js';
import type { HubInfo } from '../src/data/types.js';

const info: HubInfo = {
  hubId: 'h',
  name: 'hub',
  version: '1',
  url: 'http://hub',
  mode: 'keys',
  isLoopback: true,
  isSecure: false,
};
const until = '2026-01-08T00:00:00.000Z';
const at = Date.parse('2026-01-02T00:00:00Z');
const device: Owner = { session: 's', person: 'ann', by: 'device' };
const chief: Owner = { session: 's', person: 'chief', by: 'key k1', until };

describe('whose the page is', () => {
  it('goes by the device, the key or the machine', () => {
    const ann = { session: 's', person: 'ann' };
    expect(ownerIn({ ...info, signedIn: { ...ann, deviceId: 'd-1' } })).toEqual(device);
    const byKey = { session: 's', person: 'chief', keyId: 'k1', expiresAt: until };
    expect(ownerIn({ ...info, signedIn: byKey })).toEqual(chief);
    expect(ownerIn({ ...info, mode: 'open', localPerson: 'me' })).toEqual(localOwner('me'));
    expect(ownerIn({ ...info, signedIn: { session: 's', keyId: 'k2' } })).toBeUndefined();
    expect(ownerIn(info)).toBeUndefined();
  });

  it('is named to a hub with keys, and where there are none only without a sign-in', () => {
    expect(headersOf(chief, 'keys')).toEqual({ 'coterie-agent': 'chief', 'coterie-session': 's' });
    expect(headersOf(device, 'open')).toEqual({});
    expect(headersOf(localOwner('me'), 'open')).toEqual({ 'coterie-agent': 'me' });
  });
});

describe('what was written under one sign-in', () => {
  it('is sent under the same one', () => {
    expect(decideFate(device, device, at)).toBe('send');
    expect(decideFate(chief, { ...chief, until: '2026-01-09T00:00:00.000Z' }, at)).toBe('send');
  });

  it('is kept under another person’s, session’s or means', () => {
    for (const present of [undefined, chief, { ...device, session: 't' }, { ...device, by: 'key k3' as const }]) {
      expect(decideFate(device, present, at)).toBe('keep');
    }
    for (const present of [undefined, device, { ...device, person: 'chief' }]) {
      expect(decideFate(chief, present, at)).toBe('keep');
    }
    expect(decideFate(undefined, device, at)).toBe('keep');
  });

  it('is over when its key was replaced by another of the same person, or its time has passed', () => {
    expect(decideFate(chief, { ...chief, by: 'key k2' }, at)).toBe('over');
    expect(decideFate(chief, device, Date.parse(until))).toBe('over');
  });

  it('of the local person goes with this person’s device, and is over when the machine is another’s', () => {
    expect(decideFate(localOwner('me'), { session: 'default', person: 'me', by: 'device' }, at)).toBe('send');
    expect(decideFate(localOwner('me'), undefined, at)).toBe('keep');
    expect(decideFate(localOwner('me'), device, at)).toBe('over');
  });
});

describe('another sign-in', () => {
  const ann = { session: 's', person: 'ann' };
  const byDevice = { ...info, signedIn: { ...ann, deviceId: 'd-1' } };
  const byKey = { ...info, signedIn: { ...ann, keyId: 'k1' } };
  const looking = { ...info, signedIn: { session: 's', keyId: 'k2' } };
  const local = { ...info, mode: 'open' as const, localPerson: 'ann' };

  it('is another person, key or session, an observer, or nobody after a key', () => {
    expect(isOtherSignIn(byDevice, { ...info, signedIn: { ...ann, person: 'ben', deviceId: 'd-1' } })).toBe(true);
    expect(isOtherSignIn(byDevice, { ...info, signedIn: { ...ann, session: 't', deviceId: 'd-1' } })).toBe(true);
    expect(isOtherSignIn(byDevice, looking)).toBe(true);
    expect(isOtherSignIn(looking, { ...info, signedIn: { session: 's', keyId: 'k3' } })).toBe(true);
    expect(isOtherSignIn(looking, byDevice)).toBe(true);
    expect(isOtherSignIn(byKey, byDevice)).toBe(true);
    expect(isOtherSignIn(byKey, info)).toBe(true);
  });

  it('is not the first one, the same device with new keys, or the local person’s device', () => {
    expect(isOtherSignIn(undefined, byDevice)).toBe(false);
    expect(isOtherSignIn(info, byDevice)).toBe(false);
    expect(isOtherSignIn(byDevice, { ...info, signedIn: { ...ann, deviceId: 'd-2' } })).toBe(false);
    expect(isOtherSignIn(byDevice, info)).toBe(false);
    const paired = { ...local, signedIn: { session: 'default', person: 'ann', deviceId: 'd-1' } };
    expect(isOtherSignIn(local, paired)).toBe(false);
    expect(isOtherSignIn(paired, local)).toBe(false);
  });
});
