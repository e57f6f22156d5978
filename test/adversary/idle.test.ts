// The probe itself: it must see a hub that stalls, and nothing on one that does not.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { healthDuring, healthMsMax, startSmallHub } from './attacked-hub.js';

it('an idle hub with a small heap answers /healthz at once', async () => {
  const hub = await startSmallHub();
  const health = await healthDuring(hub.url, () => new Promise((resolve) => setTimeout(resolve, 500)));
  expect(health.failures).toBe(0);
  expect(health.probes).toBeGreaterThan(0);
  expect(health.slowestMs).toBeLessThan(healthMsMax);
});

it('a server that blocks its thread is seen', async () => {
  const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
  cleanUpAfter(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  // Safe: the server listens on a port.
  const { port } = server.address() as AddressInfo;
  const health = await healthDuring(`http://127.0.0.1:${port}`, async () => {
    // Far longer: the prober may get no processor for a part of it, and that is not counted.
    const end = performance.now() + 8 * healthMsMax;
    while (performance.now() < end);
  });
  expect(health.slowestMs).toBeGreaterThan(healthMsMax);
});
