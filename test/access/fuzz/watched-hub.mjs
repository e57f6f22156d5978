// A hub as `coterie serve` runs it, that writes what it holds on a signal: its heap after a collection, and the sockets of
// its callers.
import { subscribe } from 'node:diagnostics_channel';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { runServe } from '../../../dist/cli/serve.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

let sockets = 0;
subscribe('net.server.socket', ({ socket }) => {
  sockets += 1;
  socket.once('close', () => (sockets -= 1));
});

process.on('SIGUSR2', () => {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`holds ${JSON.stringify({ heapBytes: heapUsed + external, sockets })}\n`);
});

const [, , ...flags] = process.argv;
await runServe(flags);
