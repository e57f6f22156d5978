// Pairing a device: by the link, by the code, and every way in which it is refused.
import { describe, expect, it } from 'vitest';
import type { TestKey } from '../support/keys.js';
import { configFile } from '../support/config-file.js';
import { hubsAt } from '../support/hub-team.js';
import { useKeyedHub } from '../support/keyed-hub.js';
import { newLinkSecret, postFromPage, TestDevice } from '../support/test-device.js';

const limits = { devices: 3, pairings: 4 };
const team = useKeyedHub(
  { admin: ['send', 'read', 'signal', 'admin'], ben: ['send', 'read', 'signal'] },
  { args: ['--config', configFile({ limits })] },
);
const { hub } = team;

const lastHub = () => hubsAt(hub.url).at(-1) ?? hub.url;

let people = 0;
interface Person {
  name: string;
  key: TestKey;
  as: (operation: string, input?: object) => Promise<{ status: number; body: Fields }>;
}

async function newPerson(): Promise<Person> {
  people += 1;
  const name = `person-${people}`;
  const key = await team.makePerson(name);
  return { name, key, as: (operation, input) => callWith(key.text, operation, input) };
}

// Tests read the fields they promise; a wrong one fails the assertion.
// oxlint-disable-next-line typescript/no-explicit-any
type Fields = any;

async function callWith(key: string, operation: string, input: object = {}, url = hub.url) {
  const response = await fetch(`${url}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: (await response.json()) as Fields };
}

const refused = { status: 400, body: { error: { code: 'PAIRING_INVALID' } } };

describe('a pairing', () => {
  it('tells whoever has its link, and nobody else, whom it is for', async () => {
    const ann = await newPerson();
    const { secret, claimHash } = await newLinkSecret();
    const { body: pairing } = await ann.as('start_pairing', { claimHash });
    const { pairingId } = pairing;
    const look = (id: string) => postFromPage(lastHub(), '/app/pair/look', { body: { pairingId: id } });
    expect(await look(pairingId)).toMatchObject({ status: 200, body: { person: ann.name, personName: ann.name } });
    expect(await look('p-0000000000000000')).toMatchObject(refused);
    const phone = await TestDevice.make();
    expect((await phone.pairByLink(hub.url, { pairingId, secret, person: ann.name })).status).toBe(200);
    expect(await look(pairingId)).toMatchObject(refused);
  });

  it('by the code makes a device that is signed in and not verified', async () => {
    const ann = await newPerson();
    const { body: pairing } = await ann.as('start_pairing');
    expect(pairing.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const phone = await TestDevice.make('Ann’s phone');
    const paired = await phone.pairByCode(lastHub(), pairing.code.toLowerCase());
    expect(paired).toMatchObject({ status: 200, body: { person: ann.name, session: 'default', verified: false } });
    expect(paired.setCookie).toMatch(
      /^__Host-coterie-[\w-]{12}=coterie_\w{12}_[\w-]{43}; Path=\/; Max-Age=2592000; Secure; HttpOnly; SameSite=Strict$/,
    );
    expect(await phone.call(hub.url, 'list_devices')).toMatchObject({
      devices: [{ id: phone.id, person: ann.name, name: 'Ann’s phone', verified: false, isThis: true }],
    });
    const { body: used } = await ann.as('get_pairing', { pairingId: pairing.pairingId });
    expect(used).toMatchObject({ state: 'paired', device: { kid: phone.keys.public.kid, mac: null } });
  });

  it('by the link carries the MAC of the device’s keys to who made the secret', async () => {
    const ann = await newPerson();
    const { secret, claimHash } = await newLinkSecret();
    const { body: pairing } = await ann.as('start_pairing', { claimHash });
    const waiting = callWith(ann.key.text, 'get_pairing', { pairingId: pairing.pairingId, waitMs: 20_000 }, lastHub());
    const phone = await TestDevice.make();
    const link = { pairingId: pairing.pairingId, secret, person: ann.name };
    expect(await phone.pairByLink(hub.url, link)).toMatchObject({ status: 200 });
    expect((await waiting).body).toMatchObject({
      state: 'paired',
      device: { id: phone.id, mac: expect.stringMatching(/^[\w-]{43}$/) },
    });
  });

  it('works once', async () => {
    const ann = await newPerson();
    const { body: pairing } = await ann.as('start_pairing');
    await (await TestDevice.make()).pairByCode(hub.url, pairing.code);
    const again = await (await TestDevice.make()).pairByCode(lastHub(), pairing.code);
    expect(again).toMatchObject(refused);
  });

  it('of which two devices try the code at once makes one device', async () => {
    const ann = await newPerson();
    const { body: pairing } = await ann.as('start_pairing');
    const devices = await Promise.all(['One', 'Two', 'Three'].map((name) => TestDevice.make(name)));
    const hubs = hubsAt(hub.url);
    const answers = await Promise.all(
      devices.map((device, index) => device.pairByCode(hubs[index % hubs.length] ?? hub.url, pairing.code)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    expect((await ann.as('list_devices')).body.devices).toHaveLength(1);
  });

  it('is gone after five wrong tries, by code or by claim, at any hub', async () => {
    const ann = await newPerson();
    const { claimHash, secret } = await newLinkSecret();
    const { body: pairing } = await ann.as('start_pairing', { claimHash });
    const { pairingId, code } = pairing as { pairingId: string; code: string };
    const phone = await TestDevice.make();
    const other = await newLinkSecret();
    const hubs = hubsAt(hub.url);
    for (let tries = 0; tries < 5; tries += 1) {
      const at = hubs[tries % hubs.length] ?? hub.url;
      const wrongCode = code.slice(0, 8) + (code.endsWith('2') ? '3' : '2');
      const answer =
        tries % 2 === 0
          ? await phone.pairByCode(at, wrongCode)
          : await phone.pairByLink(at, { pairingId, secret: other.secret, person: ann.name });
      expect(answer).toMatchObject(refused);
    }
    expect((await ann.as('get_pairing', { pairingId })).body).toMatchObject({ state: 'ended', triesLeft: 0 });
    expect(await phone.pairByCode(hub.url, code)).toMatchObject(refused);
    expect(await phone.pairByLink(hub.url, { pairingId, secret, person: ann.name })).toMatchObject(refused);
  });

  it('that never existed is refused in the same words', async () => {
    const ann = await newPerson();
    const { body: pairing } = await ann.as('start_pairing');
    const phone = await TestDevice.make();
    await phone.pairByCode(hub.url, pairing.code);
    const used = await (await TestDevice.make()).pairByCode(hub.url, pairing.code);
    const never = await phone.pairByCode(hub.url, 'ZZZZ-ZZZZ');
    const noCode = await phone.pairByCode(hub.url, 'no code');
    expect([never.body, noCode.body]).toEqual([used.body, used.body]);
  });

  it('with a proof by other keys, for other keys or for another pairing is refused, and costs no try', async () => {
    const ann = await newPerson();
    const { body: pairing } = await ann.as('start_pairing');
    const [phone, thief] = [await TestDevice.make(), await TestDevice.make()];
    const { code, pairingId } = pairing as { code: string; pairingId: string };
    const plain = code.replace('-', '');
    for (const body of [
      { code, device: phone.shown, proof: await thief.proof(hub.url, plain) },
      { code, device: { ...thief.shown, kid: phone.shown.kid }, proof: await thief.proof(hub.url, plain) },
      { code, device: phone.shown, proof: await phone.proof(hub.url, 'ZZZZZZZZ') },
      { code, device: { ...phone.shown, signing: 'AAAA' }, proof: await phone.proof(hub.url, plain) },
    ]) {
      expect(await postFromPage(hub.url, '/app/pair', { body })).toMatchObject({
        status: 400,
        body: { error: { code: 'INVALID_INPUT', details: { field: 'proof' } } },
      });
    }
    expect((await ann.as('get_pairing', { pairingId })).body.triesLeft).toBe(5);
  });

  it('with keys of a revoked device, or of another person’s, is refused', async () => {
    const [ann, ben] = [await newPerson(), await newPerson()];
    const phone = await TestDevice.make();
    await phone.pairByCode(hub.url, (await ann.as('start_pairing')).body.code);
    const { id } = phone;
    expect(await phone.pairByCode(hub.url, (await ben.as('start_pairing')).body.code)).toMatchObject({ status: 400 });
    // The same device again is the same device.
    await phone.pairByCode(hub.url, (await ann.as('start_pairing')).body.code);
    expect(phone.id).toBe(id);
    await ann.as('revoke_device', { deviceId: id });
    expect(await phone.pairByCode(hub.url, (await ann.as('start_pairing')).body.code)).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_INPUT', details: { field: 'device' } } },
    });
  });

  it('is started by the person alone: no agent, and no administrator', async () => {
    const ann = await newPerson();
    expect((await team.post('ben', 'start_pairing')).body.error.code).toBe('PERSON_UNKNOWN');
    expect((await team.post('admin', 'start_pairing', { person: ann.name })).body.error.code).toBe('FORBIDDEN');
    const { body: pairing } = await ann.as('start_pairing');
    const foreign = await team.post('admin', 'get_pairing', { pairingId: pairing.pairingId });
    const unknown = await team.post('admin', 'get_pairing', { pairingId: 'p-none' });
    expect(foreign.body).toEqual(unknown.body);
    expect(foreign.body.error.code).toBe('PAIRING_INVALID');
  });

  it('by a request of another origin, or of none, is refused', async () => {
    const body = { code: 'ZZZZ-ZZZZ' };
    const foreign = await postFromPage(hub.url, '/app/pair', { body, origin: 'http://evil.example' });
    expect(foreign).toMatchObject({ status: 403, body: { error: { code: 'ORIGIN_REFUSED' } } });
    const none = await fetch(`${hub.url}/app/pair`, { method: 'POST', body: JSON.stringify(body) });
    expect([none.status, ((await none.json()) as Fields).error.code]).toEqual([403, 'ORIGIN_REFUSED']);
  });

  it('is audited, without its code', async () => {
    const ann = await newPerson();
    const { body: pairing } = await ann.as('start_pairing');
    const phone = await TestDevice.make('Audited');
    await phone.pairByCode(hub.url, pairing.code);
    await ann.as('verify_device', { deviceId: phone.id });
    await ann.as('revoke_device', { deviceId: phone.id });
    const { entries } = await team.call('admin', 'list_audit', { limit: 10 });
    const acts = entries.filter(({ target }: Fields) => target === phone.id);
    expect(acts.map(({ act }: Fields) => act)).toEqual(['revoke_device', 'verify_device', 'pair_device']);
    expect(acts[2]).toMatchObject({ actor: ann.name, details: { name: 'Audited', how: 'code' } });
  });
});

describe('numbers', () => {
  it('a person has at most as many devices as the limit says', async () => {
    const ann = await newPerson();
    for (let made = 0; made < limits.devices; made += 1) {
      const { body: pairing } = await ann.as('start_pairing');
      expect((await (await TestDevice.make()).pairByCode(hub.url, pairing.code)).status).toBe(200);
    }
    const { body: pairing } = await ann.as('start_pairing');
    const phone = await TestDevice.make();
    expect(await phone.pairByCode(hub.url, pairing.code)).toMatchObject({
      status: 429,
      body: { error: { code: 'LIMIT_REACHED', details: { limit: limits.devices } } },
    });
    const { devices } = (await ann.as('list_devices')).body;
    await ann.as('revoke_device', { deviceId: devices[0].id });
    expect((await phone.pairByCode(hub.url, pairing.code)).status).toBe(200);
  });

  it('pairings are open at most as many at once as the limit says', async () => {
    const ann = await newPerson();
    const statuses: number[] = [];
    for (let made = 0; made <= limits.pairings; made += 1) statuses.push((await ann.as('start_pairing')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });
});
