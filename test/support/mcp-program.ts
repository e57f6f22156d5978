// An MCP client with sockets of its own, as a program has them; clients of one process share theirs.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { connectMcp, type Generation, type McpClient } from './mcp-clients.js';

export interface McpProgram extends McpClient {
  /** Its sockets are closed, as when a process ends. */
  exit(): Promise<void>;
}

export async function startMcpProgram(generation: Generation, address: string): Promise<McpProgram> {
  const url = new URL(address);
  const sockets = new Set<Socket>();
  const port = Number(url.port);
  const server = createServer((client) => {
    const hub = connect({ host: url.hostname, port });
    for (const [from, to] of [
      [client, hub],
      [hub, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.once('close', () => to.destroy());
    }
  });
  server.listen(0, url.hostname);
  await once(server, 'listening');
  url.port = String((server.address() as AddressInfo).port);
  const client = await connectMcp(generation, url.href);
  return {
    ...client,
    async exit() {
      await client.close();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
