// Whom a browser may bring: Host, Origin and Sec-Fetch-Site must be the hub's own, with keys and without.
import { networkInterfaces } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { startHubProcess } from '../support/hub-process.js';
import { makeKeyIn } from '../support/key-folder.js';
import { tempFolder } from '../support/temp-folder.js';
import { useHub } from '../support/use-hub.js';
import { ask, connectRaw, partsOf } from './raw-http.js';

const open = useHub();
const list = { method: 'POST', path: '/v1/list_agents', body: '{}' };

async function codeOf(url: string, request: Parameters<typeof ask>[1]): Promise<unknown> {
  const { status, body } = await ask(url, request);
  return status === 200 ? 200 : body.error.code;
}

describe('an Origin', () => {
  it('must be the hub’s own, the port included', async () => {
    const { host, port } = new URL(open.url);
    const rows: [string, unknown][] = [
      [`http://${host}`, 200],
      [`http://127.0.0.1:${Number(port) + 1}`, 'ORIGIN_REFUSED'],
      [`http://localhost:${port}`, 'ORIGIN_REFUSED'],
      [`https://${host}`, 'ORIGIN_REFUSED'],
      ['null', 'ORIGIN_REFUSED'],
      ['', 'ORIGIN_REFUSED'],
      [`http://user@${host}`, 'ORIGIN_REFUSED'],
      [`http://${host}, http://${host}`, 'ORIGIN_REFUSED'],
      ['vscode-webview://abc', 'ORIGIN_REFUSED'],
    ];
    for (const [origin, expected] of rows) {
      expect(await codeOf(open.url, { ...list, headers: { origin } }), origin).toBe(expected);
      const mcp = await ask(open.url, { method: 'POST', path: '/mcp', headers: { origin }, body: '{}' });
      expect(mcp.body.error.code === 'ORIGIN_REFUSED', origin).toBe(expected !== 200);
    }
    const byName = { origin: `http://localhost:${port}`, host: `LOCALHOST:${port}` };
    expect(await codeOf(open.url, { ...list, headers: byName })).toBe(200);
  });

  it('is not needed: programs send none', async () => {
    expect(await codeOf(open.url, list)).toBe(200);
  });
});

describe('Sec-Fetch-Site', () => {
  it.each([
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 'ORIGIN_REFUSED'],
    ['cross-site', 'ORIGIN_REFUSED'],
    ['anything', 'ORIGIN_REFUSED'],
  ])('%s', async (site, expected) => {
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'cors' };
    expect(await codeOf(open.url, { ...list, headers })).toBe(expected);
    expect(await codeOf(open.url, { path: '/v1/openapi.json', headers })).toBe(expected);
  });

  it('lets a link lead to the page, and to nothing else', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    for (const path of ['/', '/app/question/q-1']) expect(await codeOf(open.url, { path, headers })).toBe(200);
    expect(await codeOf(open.url, { path: '/sw.js', headers })).toBe('ORIGIN_REFUSED');
    expect(await codeOf(open.url, { path: '/metrics', headers })).toBe('ORIGIN_REFUSED');
    expect(await codeOf(open.url, { path: '/v1/events?agent=eve', headers })).toBe('ORIGIN_REFUSED');
    expect(await codeOf(open.url, { method: 'POST', path: '/', headers })).toBe('ORIGIN_REFUSED');
  });
});

describe('a Host', () => {
  it('is given once, as a name and a port', async () => {
    for (const lines of [
      '',
      'host: 127.0.0.1\r\nhost: 127.0.0.1\r\n',
      'host: 127.0.0.1/x\r\n',
      'host: a@127.0.0.1\r\n',
    ]) {
      const { answer } = connectRaw(open.url, `GET /healthz HTTP/1.1\r\n${lines}connection: close\r\n\r\n`);
      expect(partsOf(await answer), lines).toMatchObject({ status: 403, error: { code: 'HOST_REFUSED' } });
    }
  });

  it('in open mode is a loopback name, whatever --public-url says', async () => {
    const hub = await startHubInProcess({ args: ['--public-url', 'https://hub.example'] });
    expect(await codeOf(hub.url, { path: '/healthz', headers: { host: 'hub.example' } })).toBe('HOST_REFUSED');
  });
});

describe('another address than loopback', () => {
  it('is refused without a key, and served after the command that the refusal names', async () => {
    const data = tempFolder();
    const refused = await runCli(['serve', '--port', '0', '--host', '0.0.0.0', '--data', data]);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    const [, command = ''] =
      /^OPEN_MODE_BEYOND_LOOPBACK: [^]*coterie (keys create .*?)\. Or/.exec(refused.stderr) ?? [];
    const made = await runCli(command.replace('NAME', 'ann').split(' '));
    const key = made.stdout.trim();
    const hub = await startHubProcess({ data, args: ['--host', '0.0.0.0'] });
    expect(hub.stderr()).toContain('keys travel in clear text');
    expect(await codeOf(hub.url, list)).toBe('KEY_REQUIRED');
    expect(await codeOf(hub.url, { ...list, headers: { authorization: `Bearer ${key}` } })).toBe(200);
    expect(hub.stderr()).not.toContain(key);
  });
});

describe('with keys', () => {
  let key: string;
  const data = tempFolder();
  beforeAll(async () => {
    key = await makeKeyIn(data);
  });
  const authorized = () => ({ authorization: `Bearer ${key}` });

  it('the public name and its origin are the hub’s own', async () => {
    const hub = await startHubInProcess({ data, args: ['--public-url', 'https://Hub.example/'] });
    const { port } = new URL(hub.url);
    const rows: [Record<string, string>, unknown][] = [
      [{ host: 'hub.example' }, 200],
      [{ host: 'hub.example:443', origin: 'https://hub.example' }, 200],
      [{ host: `127.0.0.1:${port}`, origin: 'https://hub.example' }, 200],
      [{ host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` }, 200],
      [{ host: 'hub.example', origin: 'http://hub.example' }, 'ORIGIN_REFUSED'],
      [{ host: 'hub.example', origin: 'https://hub.example:8443' }, 'ORIGIN_REFUSED'],
      [{ host: 'hub.example', origin: 'https://evil.hub.example' }, 'ORIGIN_REFUSED'],
      [{ host: 'evil.example' }, 'HOST_REFUSED'],
      [{ host: 'hub.example.evil.example' }, 'HOST_REFUSED'],
      [{ host: '192.0.2.77' }, 'HOST_REFUSED'],
      [{ host: 'hub.example', 'x-forwarded-host': 'evil.example' }, 200],
    ];
    for (const [headers, expected] of rows) {
      expect(
        await codeOf(hub.url, { ...list, headers: { ...authorized(), ...headers } }),
        JSON.stringify(headers),
      ).toBe(expected);
    }
    for (const forwarded of [{}, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }]) {
      const headers = { ...authorized(), ...forwarded };
      const { body } = await ask(hub.url, { path: '/v1/openapi.json', headers });
      expect(body.servers[0].url).toBe('https://hub.example');
      expect(JSON.stringify(body)).not.toContain('evil');
    }
  });

  const own = Object.values(networkInterfaces())
    .flat()
    .find((known) => known?.family === 'IPv4' && !known.internal)?.address;

  it.skipIf(own === undefined)('a hub on all addresses is reached under each of its own', async () => {
    const hub = await startHubInProcess({ data, args: ['--host', '0.0.0.0'] });
    expect(hub.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(hub.logged).toContain('keys travel in clear text');
    const { port } = new URL(hub.url);
    const there = `http://${own}:${port}`;
    const headers = authorized();
    expect(await codeOf(there, { ...list, headers })).toBe(200);
    expect(await codeOf(there, { ...list, headers: { ...headers, origin: there } })).toBe(200);
    expect(await codeOf(there, { ...list, headers: { ...headers, host: 'evil.example' } })).toBe('HOST_REFUSED');
    expect(await codeOf(there, { ...list, headers: { ...headers, host: `192.0.2.77:${port}` } })).toBe('HOST_REFUSED');
    expect(await codeOf(there, list)).toBe('KEY_REQUIRED');
    expect(await codeOf(hub.url, { ...list, headers })).toBe(200);
  });

  it('an address that is not this machine’s is refused with its name', async () => {
    for (const host of ['192.0.2.99', 'hub.invalid']) {
      const starting = startHubInProcess({ data, args: ['--host', host] });
      await expect(starting).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining(`'${host}'`) });
    }
  });
});
