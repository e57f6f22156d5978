// Endpoints come from callers: what the hub may post to, and what it refuses at once and when it connects.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../dist/signal/push/addresses.js';
import { createEndpointGuard, requirePublicHost } from '../../dist/signal/push/endpoint-guard.js';
import { post } from '../../dist/signal/push/post.js';
import { cleanUpAfter } from '../support/clean-up.js';

const guard = createEndpointGuard('');
const refused = expect.objectContaining({ code: 'ENDPOINT_REFUSED' });
const message = { headers: {}, body: Buffer.from('x') };

describe('a subscription’s endpoint', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-by3p.notify.windows.com/w/?token=abc',
    'https://FCM.googleapis.com:443/fcm/send/abc',
    'https://ｆｃｍ.googleapis.com/fcm/send/abc',
  ])('may be %s', (url) => {
    expect(guard.webPush(url).lookup).toBeDefined();
  });

  it.each([
    ['http', 'http://fcm.googleapis.com/x'],
    ['another port', 'https://fcm.googleapis.com:8443/x'],
    ['a user name', 'https://fcm.googleapis.com@127.0.0.1/x'],
    ['a password', 'https://a:b@fcm.googleapis.com/x'],
    ['another host', 'https://example.com/x'],
    ['a host that ends like a vendor’s', 'https://evilpush.apple.com/x'],
    ['a host that begins like a vendor’s', 'https://fcm.googleapis.com.example.com/x'],
    ['the bare domain of a wildcard', 'https://push.apple.com/x'],
    ['a trailing dot', 'https://fcm.googleapis.com./x'],
    ['letters that look alike', 'https://fcm.gооgleapis.com/x'],
    ['loopback', 'https://127.0.0.1/x'],
    ['loopback as a number', 'https://2130706433/x'],
    ['loopback in octal and hex', 'https://0177.0x1/x'],
    ['a mapped address', 'https://[::ffff:127.0.0.1]/x'],
    ['IPv6 loopback', 'https://[::1]/x'],
    ['cloud metadata', 'https://169.254.169.254/latest'],
    ['localhost', 'https://localhost/x'],
    ['another scheme', 'file:///etc/passwd'],
    ['no URL', 'fcm.googleapis.com/x'],
    ['more than 2,048 characters', `https://fcm.googleapis.com/${'x'.repeat(2_048)}`],
    ['a backslash before the host', 'https:\\\\127.0.0.1\\@fcm.googleapis.com/x'],
    ['a line break', 'https://127.0.0.1\n.fcm.googleapis.com/x'],
  ])('may not have %s', (_, url) => {
    expect(() => guard.webPush(url)).toThrow(refused);
  });
});

describe('the URL of a webhook', () => {
  it('may be on any public host, by https', () => {
    expect(guard.anyHost('https://hooks.example.com/abc').url.href).toBe('https://hooks.example.com/abc');
    for (const url of [
      'http://hooks.example.com/',
      'https://10.0.0.1/',
      'https://[fd00::1]/',
      'https://[64:ff9b::a00:1]/',
    ])
      expect(() => guard.anyHost(url)).toThrow(refused);
  });

  it('may not lead to a private address by its name: refused when it is set, and when the hub connects', async () => {
    const endpoint = guard.anyHost('https://localhost/hook');
    await expect(requirePublicHost(endpoint)).rejects.toThrow(refused);
    await expect(post(endpoint, message)).rejects.toThrow(refused);
  });

  it('may be private if the operator named the host, with its port or with any', async () => {
    const named = createEndpointGuard('localhost:8443, ntfy.lan');
    expect(named.anyHost('https://localhost:8443/x').lookup).toBeUndefined();
    expect(named.anyHost('http://ntfy.lan:8080/x').lookup).toBeUndefined();
    expect(() => named.anyHost('https://localhost:8444/x')).toThrow(refused);
    expect(() => named.anyHost('http://a:b@ntfy.lan/x')).toThrow(refused);
    await requirePublicHost(named.anyHost('http://ntfy.lan:8080/x'));
  });
});

describe('a post', () => {
  it('does not follow a redirect, and reads only the start of the answer', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location: '/elsewhere' }).end('x'.repeat(100_000));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUpAfter(() => void server.close());
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await post(createEndpointGuard(host).anyHost(`http://${host}/here`), message);
    expect(answer.status).toBe(302);
    expect(answer.body.length).toBe(4_096);
    expect(asked).toEqual(['/here']);
  });
});

describe('a public address', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.9.9.9',
    '169.254.1.1',
    '172.16.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'not an address',
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
