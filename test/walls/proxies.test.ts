// Behind a proxy: whose X-Forwarded-For is believed, and what a hub without keys does.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { trustedProxies } from '../../dist/config/trusted-proxies.js';
import { clientAddressOf } from '../../dist/http/reach.js';
import { cleanUpAfter } from '../support/clean-up.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { makeKeyIn } from '../support/key-folder.js';
import { tempFolder } from '../support/temp-folder.js';
import { useHub } from '../support/use-hub.js';
import { ask } from './raw-http.js';

describe('a hub without keys', () => {
  const hub = useHub();
  const trusting = useHub({ args: ['--trust-proxy', '127.0.0.1', '--public-url', 'https://hub.example'] });

  it.each([
    { forwarded: 'for=192.0.2.7' },
    { 'x-forwarded-for': '192.0.2.7' },
    { 'X-Forwarded-Proto': 'https' },
    { 'x-forwarded-host': 'hub.example' },
    { 'x-forwarded-anything': '' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '192.0.2.7' },
  ])('refuses what a proxy forwards (%o), and says to make a key', async (headers) => {
    for (const { url } of [hub, trusting]) {
      for (const path of [
        '/',
        '/mcp',
        '/v1/list_agents',
        '/metrics',
        '/nothing',
        '/.well-known/oauth-protected-resource',
      ]) {
        const { status, body } = await ask(url, { method: 'POST', path, headers, body: '{}' });
        expect(status).toBe(403);
        expect(body.error).toMatchObject({
          code: 'FORWARDED_REFUSED',
          hint: expect.stringContaining('coterie keys create'),
        });
      }
      expect((await ask(url, { path: '/readyz', headers })).status).toBe(200);
    }
  });
});

describe('with keys', () => {
  it('a forwarded request is served', async () => {
    const data = tempFolder();
    const key = await makeKeyIn(data);
    const hub = await startHubInProcess({ data });
    const headers = { 'x-forwarded-for': '192.0.2.7', via: '1.1 proxy', authorization: `Bearer ${key}` };
    const { status } = await ask(hub.url, { method: 'POST', path: '/v1/list_agents', headers, body: '{}' });
    expect(status).toBe(200);
  });
});

describe('the address of a client', () => {
  /** What a hub with this setting takes for it, when the request comes from 127.0.0.1. */
  async function addressBehind(list: string, forwardedFor?: string | string[]): Promise<string> {
    const isTrustedProxy = trustedProxies(list);
    if (isTrustedProxy === undefined) throw new Error(`${list} is no list`);
    const reach = { host: '127.0.0.1', isSecure: false, publicUrl: null, isTrustedProxy };
    const server = createServer((request, response) => response.end(clientAddressOf(request, reach)));
    server.listen(0, '127.0.0.1');
    cleanUpAfter(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers: Record<string, string | string[]> =
      forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
    return (await ask(`http://127.0.0.1:${port}`, { headers })).body;
  }

  it.each<[what: string, list: string, forwardedFor: string | string[] | undefined, expected: string]>([
    ['of an untrusted peer is its own, whatever it says', '', '192.0.2.7', '127.0.0.1'],
    ['of a peer outside the list, too', '10.0.0.0/8', '192.0.2.7', '127.0.0.1'],
    ['of a trusted proxy is what it says', '127.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['is the last that is no proxy’s: a client may write the first', '127.0.0.1', '1.1.1.1, 192.0.2.7', '192.0.2.7'],
    ['is looked for behind several proxies', '127.0.0.1,10.0.0.0/8', '1.1.1.1, 192.0.2.7, 10.1.2.3', '192.0.2.7'],
    ['may come in several headers', '127.0.0.1, 10.0.0.0/8', ['1.1.1.1, 192.0.2.7', '10.1.2.3'], '192.0.2.7'],
    ['is the proxy’s own without the header', '127.0.0.1', undefined, '127.0.0.1'],
    ['is the proxy’s own when it names none', '127.0.0.1', 'unknown', '127.0.0.1'],
    [
      'is that of the last proxy that is named, when it names none',
      '127.0.0.1,10.0.0.1',
      '1.1.1.1, x, 10.0.0.1',
      '10.0.0.1',
    ],
    ['may have a port', '127.0.0.1', '192.0.2.7:4711', '192.0.2.7'],
    ['may be of IPv6', '127.0.0.0/8', '2001:db8::7', '2001:db8::7'],
    ['may be of IPv6 with a port', '127.0.0.0/8', '[2001:db8::7]:4711', '2001:db8::7'],
    ['is of IPv4, also when it is written as IPv6', '127.0.0.0/8', '::ffff:192.0.2.7', '192.0.2.7'],
    ['is the outermost when all are proxies', '127.0.0.1,10.0.0.0/8', '10.0.0.9, 10.0.0.1', '10.0.0.9'],
  ])('%s', async (_, list, forwardedFor, expected) => {
    expect(await addressBehind(list, forwardedFor)).toBe(expected);
  });

  it.each(['proxy.example', '10.0.0.0/33', '::1/129', '10.0.0.0/', '127.0.0.1,', '1', 'true', '10.0.0.0/8/8', '/8'])(
    'list %s is refused',
    (list) => expect(trustedProxies(list)).toBeUndefined(),
  );
});
