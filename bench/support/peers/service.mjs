// A peer's server: a child process on a free loopback port, with a folder of its own that goes with it.
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../processes.mjs';

/** `prepare` gets the folder and the port and answers the program's arguments. */
export async function startService(command, { prepare, ...options }) {
  const folder = mkdtempSync(join(tmpdir(), 'coterie-bench-peer-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (options.uid !== undefined) chownSync(folder, options.uid, options.gid);
    const port = await freePort();
    const { stop } = await startProgram(command, await prepare({ folder, port }), options);
    return { port, stop: () => stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
