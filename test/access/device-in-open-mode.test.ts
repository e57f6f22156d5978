// In open mode the page on this machine becomes a device of the local person with one click.
import { describe, expect, it } from 'vitest';
import { useHub } from '../support/use-hub.js';
import { postFromPage, TestDevice } from '../support/test-device.js';
import { ask, askOperation, askTool } from './ask.js';

const hub = useHub({ args: ['--person', 'ann'] });

async function hubSeen(headers: Record<string, string> = {}) {
  const response = await fetch(`${hub.url}/app/hub`, { headers });
  return (await response.json()) as Record<string, unknown>;
}

describe('the page in open mode', () => {
  it('hears who the local person is, and how clients connect', async () => {
    expect(await hubSeen()).toMatchObject({
      hubId: expect.stringMatching(/^[\w-]{12}$/),
      mode: 'open',
      isLoopback: true,
      isSecure: false,
      localPerson: 'ann',
      hub: { kid: expect.any(String), encryption: expect.any(String), vapid: expect.any(String) },
      connect: expect.arrayContaining([expect.objectContaining({ id: 'claude' })]),
    });
  });

  it('becomes an unverified device of that person, and open mode stays', async () => {
    const page = await TestDevice.make('This browser');
    expect(await page.pairOnPage(hub.url)).toMatchObject({
      status: 200,
      body: { person: 'ann', session: 'default', verified: false },
    });
    expect(await hubSeen({ cookie: page.cookie, 'sec-fetch-site': 'same-origin' })).toMatchObject({
      mode: 'open',
      signedIn: { person: 'ann', deviceId: page.id },
    });
    expect((await page.call(hub.url, 'list_devices')).devices).toMatchObject([{ id: page.id, isThis: true }]);
    expect(await askOperation(hub.url, 'list_agents', {})).toMatchObject({ status: 200 });
  });

  it('is served without a cookie when its own does not work', async () => {
    const page = await TestDevice.make();
    await page.pairOnPage(hub.url);
    await page.call(hub.url, 'revoke_device', { deviceId: page.id });
    const json = ['content-type', 'application/json'] as const;
    const headers = [json, ['cookie', page.cookie], ['origin', hub.url], ['coterie-agent', 'ann']] as const;
    const answer = await ask(hub.url, { method: 'POST', path: '/v1/get_messages', headers, body: {} });
    expect(answer.status).toBe(200);
  });

  it('is not taken for it from elsewhere', async () => {
    const page = await TestDevice.make();
    const body = { device: page.shown, proof: await page.proof(hub.url, 'page') };
    const path = '/app/pair/local';
    const foreign = await postFromPage(hub.url, path, { body, origin: 'http://evil.example' });
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'ORIGIN_REFUSED']);
    const headers = [['content-type', 'application/json'] as const, ['origin', hub.url] as const];
    const proxied = await ask(hub.url, {
      method: 'POST',
      path,
      headers: [...headers, ['x-forwarded-for', '10.0.0.1']],
      body,
    });
    expect([proxied.status, proxied.body.error.code]).toEqual([403, 'FORWARDED_REFUSED']);
  });

  it('lets no agent pair or verify over MCP', async () => {
    const page = await TestDevice.make();
    await page.pairOnPage(hub.url);
    for (const [name, input] of [
      ['start_pairing', {}],
      ['verify_device', { deviceId: page.id }],
    ] as const) {
      const asPerson = await askTool(hub.url, name, input, [['coterie-agent', 'ann']]);
      expect(asPerson.body.result).toMatchObject({ isError: true, _meta: { 'coterie/error': { code: 'FORBIDDEN' } } });
      const asAgent = await askTool(hub.url, name, input, [['coterie-agent', 'ben']]);
      expect(asAgent.body.result._meta['coterie/error'].code).toMatch(/^(PERSON|DEVICE)_UNKNOWN$/);
    }
  });
});
