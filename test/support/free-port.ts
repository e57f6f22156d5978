// Ports for servers that must be reached at the same address again after they were gone for a while.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections, and to servers that ask for any: while a hub is dead its
 * clients keep connecting, and none of them may be given the hub's own port.
 */
const [firstPort, lastPort] = [20_000, 32_000];
const workersMax = 16;
const portsEach = Math.floor((lastPort - firstPort) / workersMax);

/** Tests that run at the same time choose from different ports. */
export async function freePorts(count: number): Promise<number[]> {
  const start = firstPort + (Number(process.env['VITEST_POOL_ID'] ?? 0) % workersMax) * portsEach;
  const ports = new Set<number>();
  for (let attempt = 0; attempt < 100 && ports.size < count; attempt++) {
    const port = start + randomInt(portsEach);
    if (await isFree(port)) ports.add(port);
  }
  if (ports.size < count) throw new Error('no free port found');
  return [...ports];
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
