// A device's sign-in: a cookie that only the hub's page can use, and that ends with the device on every hub.
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { hubsAt } from '../support/hub-team.js';
import { useKeyedHub } from '../support/keyed-hub.js';
import { newKeys, signBytes } from '../../dist/signal/envelope/index.js';
import { movableClock } from '../support/movable-clock.js';
import { hubKidOf, postFromPage, TestDevice } from '../support/test-device.js';
import { ownMsOf } from '../support/own-time.js';
import { signInBytes } from '../../dist/signal/pair/signed-bytes.js';
import { ask, askOperation, askTool } from './ask.js';

const clock = movableClock();
const team = useKeyedHub({ admin: ['send', 'read', 'signal', 'admin'], ben: ['send', 'read', 'signal'] }, { clock });
const { hub } = team;
const lastHub = () => hubsAt(hub.url).at(-1) ?? hub.url;
let annsKey = '';

beforeAll(async () => {
  annsKey = (await team.makePerson('ann')).text;
});

async function asAnn(operation: string, input: object = {}): Promise<Record<string, string>> {
  const response = await fetch(`${hub.url}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${annsKey}` },
    body: JSON.stringify(input),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, string>;
}

async function newPhone(): Promise<TestDevice> {
  const phone = await TestDevice.make();
  expect(await phone.pairByCode(hub.url, (await asAnn('start_pairing'))['code'] ?? '')).toMatchObject({ status: 200 });
  return phone;
}

const ended = { status: 401, body: { error: { code: 'KEY_INVALID' } } };
const failed = { status: 401, body: { error: { code: 'SIGN_IN_FAILED' } } };

describe('a sign-in', () => {
  it('is for the person, who administers nothing', async () => {
    const phone = await newPhone();
    const me = await fetch(`${hub.url}/app/hub`, {
      headers: { cookie: phone.cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(await me.json()).toMatchObject({
      mode: 'keys',
      signedIn: { person: 'ann', session: 'default', deviceId: phone.id, deviceName: 'Phone', verified: false },
    });
    expect(await phone.post(lastHub(), 'list_keys')).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', details: { needs: 'admin' } } },
    });
    expect(await phone.post(lastHub(), 'get_messages')).toMatchObject({ status: 200 });
  });

  it('is not among the keys: not listed, not rotated, not revoked as one', async () => {
    const phone = await newPhone();
    const [, keyId = ''] = /=coterie_(\w{12})_/.exec(phone.cookie) ?? [];
    const { keys } = await team.call('admin', 'list_keys');
    expect(keys.map(({ id }: { id: string }) => id)).not.toContain(keyId);
    for (const operation of ['revoke_key', 'rotate_key']) {
      const foreign = await team.post('admin', operation, { keyId });
      expect([foreign.status, foreign.body.error.code]).toEqual([404, 'KEY_UNKNOWN']);
    }
    expect(await phone.post(hub.url, 'get_messages')).toMatchObject({ status: 200 });
  });

  it('works for the hub’s page alone', async () => {
    const phone = await newPhone();
    const json = ['content-type', 'application/json'] as const;
    const post = (...headers: (readonly [string, string])[]) =>
      ask(hub.url, {
        method: 'POST',
        path: '/v1/get_messages',
        headers: [json, ['cookie', phone.cookie], ...headers],
        body: {},
      });
    const origin = new URL(hub.url).origin;
    expect((await post(['origin', origin])).status).toBe(200);
    expect((await post(['sec-fetch-site', 'same-origin'])).status).toBe(200);
    for (const headers of [
      [],
      [['sec-fetch-site', 'none']],
      [['sec-fetch-site', 'cross-site']],
      [['sec-fetch-site', 'same-site']],
      [['origin', 'null']],
      [['origin', 'http://evil.example']],
      [
        ['origin', 'http://localhost:1'],
        ['sec-fetch-site', 'same-site'],
      ],
    ] as [string, string][][]) {
      const { status, body } = await post(...headers);
      expect({ headers, status, code: body.error.code }).toEqual({ headers, status: 403, code: 'ORIGIN_REFUSED' });
    }
  });

  it('is no credential of an MCP client, nor in the Authorization header', async () => {
    const phone = await newPhone();
    const origin = ['origin', new URL(hub.url).origin] as const;
    const { status, body } = await askTool(hub.url, 'get_messages', {}, [['cookie', phone.cookie], origin]);
    expect([status, body.error.code]).toEqual([401, 'KEY_REQUIRED']);
  });

  it('is not the cookie of another hub, nor a person’s key in a cookie', async () => {
    const phone = await newPhone();
    const [name = '', value = ''] = phone.cookie.split('=');
    for (const [cookie, code] of [
      [`__Host-coterie-otherhub0000=${value}`, 'KEY_REQUIRED'],
      [`${name}=${value}; ${name}=${value}`, 'KEY_REQUIRED'],
      [`${name}=${annsKey}`, 'KEY_INVALID'],
      [`${name}=${value.slice(0, -3)}abc`, 'KEY_INVALID'],
    ] as const) {
      const answer = await postFromPage(hub.url, '/v1/get_messages', { cookie });
      expect([answer.status, answer.body.error.code]).toEqual([401, code]);
    }
  });

  it('ends by signing out', async () => {
    const phone = await newPhone();
    const out = await postFromPage(lastHub(), '/app/sign-out', { cookie: phone.cookie });
    expect(out.setCookie).toMatch(/^__Host-coterie-[\w-]{12}=; Path=\/; Max-Age=0; /);
    await eventually('the sign-in ended', async () => (await phone.post(hub.url, 'get_messages')).status === 401);
    expect(await phone.signIn(hub.url, await phone.challenge(hub.url))).toMatchObject({ status: 200 });
  });
});

describe('signing in again', () => {
  it('takes a signature of a challenge, at any hub', async () => {
    const phone = await newPhone();
    const before = phone.cookie;
    const answer = await phone.signIn(lastHub(), await phone.challenge(hub.url));
    expect(answer).toMatchObject({ status: 200, body: { deviceId: phone.id, person: 'ann', session: 'default' } });
    expect(phone.cookie).not.toBe(before);
    await phone.call(hub.url, 'get_messages');
  });

  it('is refused for a challenge that was used, at any hub', async () => {
    const phone = await newPhone();
    const challenge = await phone.challenge(hub.url);
    const answers = await Promise.all([hub.url, lastHub(), hub.url].map((url) => phone.signIn(url, challenge)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
    expect(await phone.signIn(lastHub(), challenge)).toMatchObject(failed);
  });

  it('is refused for a challenge of another device, a changed one, and other keys', async () => {
    const [phone, other] = [await newPhone(), await newPhone()];
    expect(await phone.signIn(hub.url, await other.challenge(hub.url))).toMatchObject(failed);
    const challenge = await phone.challenge(hub.url);
    const [, nonce, mac] = challenge.split('.');
    const later = `${(Date.now() + 1e9).toString(36)}.${nonce}.${mac}`;
    expect(await phone.signIn(hub.url, later)).toMatchObject(failed);
    const bytes = signInBytes({ challenge, deviceId: phone.id, hubKid: await hubKidOf(hub.url) });
    const signature = await signBytes(await newKeys(false), 'sign-in', bytes);
    const body = { deviceId: phone.id, challenge, signature };
    expect(await postFromPage(hub.url, '/app/sign-in', { body })).toMatchObject(failed);
  });

  it('is refused in the same words for a device that does not exist', async () => {
    const phone = await newPhone();
    await asAnn('revoke_device', { deviceId: phone.id });
    const revoked = await phone.signIn(hub.url, await phone.challenge(hub.url));
    const stranger = await TestDevice.make();
    stranger.id = 'd-aaaaaaaaaaaa';
    const unknown = await stranger.signIn(hub.url, await stranger.challenge(hub.url));
    expect(revoked).toMatchObject(failed);
    expect(unknown.body).toEqual(revoked.body);
  });
});

describe('revoking a device', () => {
  it('ends its stream and its sign-in within a second, at every hub', async () => {
    const phone = await newPhone();
    const stream = await fetch(`${lastHub()}/v1/events`, {
      headers: { cookie: phone.cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(stream.status).toBe(200);
    await asAnn('revoke_device', { deviceId: phone.id });
    const closed = stream.text().catch(() => {});
    expect(await ownMsOf(lastHub(), closed)).toBeLessThan(1_500);
    for (const url of hubsAt(hub.url)) expect(await phone.post(url, 'get_messages')).toMatchObject(ended);
    expect((await asAnn('list_devices'))['devices']).not.toContainEqual(expect.objectContaining({ id: phone.id }));
  });

  it('is for the person and for administrators; to others it does not exist', async () => {
    const phone = await newPhone();
    const foreign = await team.post('ben', 'revoke_device', { deviceId: phone.id });
    const unknown = await team.post('ben', 'revoke_device', { deviceId: 'd-aaaaaaaaaaaa' });
    expect(foreign.body.error.code).toBe('DEVICE_UNKNOWN');
    expect(JSON.stringify(foreign.body).replaceAll(phone.id, 'ID')).toBe(
      JSON.stringify(unknown.body).replaceAll('d-aaaaaaaaaaaa', 'ID'),
    );
    expect((await team.call('ben', 'list_devices')).devices).toEqual([]);
    const elsewhere = await team.makeKey('boss', ['send', 'read', 'signal', 'admin'], 'other');
    for (const deviceId of [phone.id, 'd-aaaaaaaaaaaa']) {
      const headers = [['authorization', `Bearer ${elsewhere.text}`]] as const;
      const { status, body } = await askOperation(hub.url, 'revoke_device', { deviceId }, headers);
      expect([status, body.error.code]).toEqual([404, 'DEVICE_UNKNOWN']);
    }
    const all = await team.call('admin', 'list_devices', { person: 'ann' });
    expect(all.devices).toContainEqual(expect.objectContaining({ id: phone.id, person: 'ann' }));
    expect((await team.call('admin', 'revoke_device', { deviceId: phone.id })).device.id).toBe(phone.id);
  });
});

describe('verifying a device', () => {
  it('is for the person’s key and for verified devices, and is known at once', async () => {
    const [phone, laptop] = [await newPhone(), await newPhone()];
    expect((await team.post('admin', 'verify_device', { deviceId: phone.id })).body.error.code).toBe('FORBIDDEN');
    const own = await phone.post(hub.url, 'verify_device', { deviceId: phone.id });
    expect([own.status, own.body.error.code]).toEqual([403, 'DEVICE_UNVERIFIED']);
    await asAnn('verify_device', { deviceId: phone.id });
    await eventually('the phone is verified at every hub', async () => {
      const answer = await phone.post(lastHub(), 'verify_device', { deviceId: laptop.id });
      return answer.status === 200;
    });
    expect(await asAnn('rename_device', { deviceId: laptop.id, name: ' Laptop ' })).toMatchObject({
      device: { name: 'Laptop', verified: true },
    });
  });
});

it('old challenges and pairings do not work, by the hub’s clock', async () => {
  const one = await startHubInProcess({ clock });
  const phone = await TestDevice.make();
  expect(await phone.pairOnPage(one.url)).toMatchObject({ status: 200, body: { verified: false } });
  const challenge = await phone.challenge(one.url);
  clock.advance(61_000);
  expect(await phone.signIn(one.url, challenge)).toMatchObject(failed);
  expect(await phone.signIn(one.url, await phone.challenge(one.url))).toMatchObject({ status: 200 });
  const { code } = await phone.call(one.url, 'start_pairing');
  clock.advance(5 * 60_000 + 1);
  const late = await (await TestDevice.make()).pairByCode(one.url, code);
  expect([late.status, late.body.error.code]).toEqual([400, 'PAIRING_INVALID']);
  await one.stop();
});
