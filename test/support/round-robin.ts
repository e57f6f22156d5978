// Stands before several hubs and knows nothing of HTTP: each new connection goes to the next hub, bytes, ends and resets
// are passed on.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface RoundRobin {
  url: string;
  stop(): Promise<void>;
}

const host = '127.0.0.1';

export async function startRoundRobin(hubs: readonly string[], first = 0): Promise<RoundRobin> {
  const ports = hubs.map((url) => Number(new URL(url).port));
  const open = new Set<Socket>();
  let next = first;
  // Half open: a client that has ended its side may still be owed an answer.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const hub = connect({ host, port: ports[next % ports.length] ?? 0, allowHalfOpen: true, noDelay: true });
    next += 1;
    open.add(client).add(hub);
    passOn(client, hub);
    passOn(hub, client);
    client.once('close', () => open.delete(client));
    hub.once('close', () => open.delete(hub));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    async stop() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function passOn(from: Socket, to: Socket): void {
  from.pipe(to);
  // One that was reset, or refused the connection, resets the other: its kernel must learn that bytes were not read.
  from.on('error', () => to.resetAndDestroy());
}
