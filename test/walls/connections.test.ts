// How many connections a hub holds, in all and for one address; those beyond are told so and closed.
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { configFile } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { startHubProcess } from '../support/hub-process.js';
import { makeKeyIn } from '../support/key-folder.js';
import { tempFolder } from '../support/temp-folder.js';
import { ask, connectRaw, partsOf, type RawConnection } from './raw-http.js';

const health = 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';

/** Connections that have been answered once, so the hub has counted them. */
async function hold(url: string, count: number): Promise<RawConnection[]> {
  const held = Array.from({ length: count }, () => connectRaw(url, health.replace('127.0.0.1', new URL(url).host)));
  const answered = held.map(
    ({ socket }) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data)))),
  );
  for (const text of await Promise.all(answered)) expect(text).toMatch(/^HTTP\/1\.1 200 /);
  return held;
}

async function expectRefused(url: string, limit: number): Promise<void> {
  for (const bytes of ['', health]) {
    const { status, headers, error } = partsOf(await connectRaw(url, bytes).answer);
    expect({ status, ...error }).toMatchObject({
      status: 503,
      code: 'TOO_MANY_CONNECTIONS',
      retry: 'later',
      details: { limit, retryAfterMs: 10_000 },
    });
    expect(headers).toMatch(/\r\nretry-after: 10\r\nconnection: close/);
  }
}

describe('connections', () => {
  it('in all are as many as the limit says; one that closes makes room', async () => {
    const hub = await startHubProcess({ args: ['--config', configFile({ limits: { connections: 5 } })] });
    const [first] = await hold(hub.url, 5);
    await expectRefused(hub.url, 5);
    first?.socket.destroy();
    await eventually('there is room again', async () => {
      return (await ask(hub.url, { path: '/healthz' }).catch(() => undefined))?.status === 200;
    });
  });

  const own = Object.values(networkInterfaces())
    .flat()
    .filter((known) => known?.internal === false && !known.address.startsWith('fe80:'))
    .map((known) => (known?.family === 'IPv6' ? `[${known.address}]` : (known?.address ?? '')));

  it.skipIf(own.length === 0)('of one address are fewer; others are served meanwhile', async () => {
    const data = tempFolder();
    await makeKeyIn(data);
    const args = ['--host', '::', '--config', configFile({ limits: { connections: 50, connectionsPerAddress: 3 } })];
    const hub = await startHubInProcess({ data, args });
    const { port } = new URL(hub.url);
    for (const address of own) {
      const held = await hold(`http://${address}:${port}`, 3);
      await expectRefused(`http://${address}:${port}`, 3);
      // The hub's own machine has no such limit.
      await hold(`http://127.0.0.1:${port}`, 6);
      for (const { socket } of held) socket.destroy();
    }
  });

  it.skipIf(own.length === 0)('of a trusted proxy are bounded only with all others', async () => {
    const data = tempFolder();
    await makeKeyIn(data);
    const limits = { connections: 8, connectionsPerAddress: 3 };
    const args = ['--host', '::', '--trust-proxy', '0.0.0.0/0,::/0', '--config', configFile({ limits })];
    const hub = await startHubInProcess({ data, args });
    const url = `http://${own[0]}:${new URL(hub.url).port}`;
    await hold(url, 8);
    await expectRefused(url, 8);
  });
});
