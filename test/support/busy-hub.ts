// A door in front of a hub that is busy for a while: it refuses calls as the hub does, and passes on the others.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUpAfter } from './clean-up.js';

export interface BusyDoor {
  url: string;
  /** How often it was called with this operation. */
  calls(operation: string): number;
}

export interface Busyness {
  operation: string;
  /** How many calls of it are refused. */
  refusals: number;
  retryAfterMs?: number;
  code?: string;
}

/** Closed after the test. */
export async function startBusyDoor(hubUrl: string, busyness: Busyness): Promise<BusyDoor> {
  const { operation, refusals, retryAfterMs = 20, code = 'BUSY' } = busyness;
  const counts = new Map<string, number>();
  const refusal = JSON.stringify({
    error: { code, message: 'Too many.', hint: 'Call again.', retry: 'later', details: { retryAfterMs } },
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const called = path.replace('/v1/', '');
      const count = (counts.get(called) ?? 0) + 1;
      counts.set(called, count);
      if (called === operation && count <= refusals) {
        response.writeHead(503, { 'content-type': 'application/json' }).end(refusal);
        return;
      }
      const { method = 'GET', headers } = request;
      const { host: _, connection: __, 'content-length': ___, ...kept } = headers;
      const passed = {
        method,
        headers: kept as Record<string, string>,
        ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
      };
      fetch(`${hubUrl}${path}`, passed)
        .then(async (answer) =>
          response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
        )
        .catch(() => response.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUpAfter(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls: (name) => counts.get(name) ?? 0 };
}
