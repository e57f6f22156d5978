// `npm run dev`: builds and runs the hub; builds and restarts it whenever src/, web/ or migrations/ change. Its data stays.
// Arguments go to the hub, e.g. `npm run dev -- --data .coterie --port 7777`; those that begin with --inspect go to Node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build, builtHash } from './build.mjs';
import { install } from './install.mjs';
import { requireNode } from './require-node.mjs';
import { stopWithParent } from './stop-with-parent.mjs';
import { root } from './tool.mjs';

/** An editor saves several files, or one in several steps. */
const settleMs = 100;
const isForNode = (arg) => arg.startsWith('--inspect');

requireNode();
const parentPid = process.ppid;
const installed = install();
if (installed !== 0) process.exit(installed);

const args = process.argv.slice(2);
// It ends with this process however that ends: start.mjs watches its parent when npm started it.
const command = [
  ...args.filter(isForNode),
  join(root, 'scripts', 'start.mjs'),
  ...args.filter((arg) => !isForNode(arg)),
];
const env = { ...process.env, npm_lifecycle_event: process.env.npm_lifecycle_event ?? 'dev' };

let hub;
let running;
let hasChanged = true;
let wake = () => {};
const stopping = new AbortController();

for (const folder of ['src', 'web', 'migrations'].filter((name) => existsSync(join(root, name)))) {
  watch(join(root, folder), { recursive: true }, () => {
    hasChanged = true;
    wake();
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopping.abort();
    wake();
  });
}
if (process.env.npm_lifecycle_event !== undefined) stopWithParent(parentPid);

while (!stopping.signal.aborted) {
  if (hasChanged) await rebuild();
  else await new Promise((resolve) => (wake = resolve));
}
await stopHub();
// The watchers would keep the process alive.
process.exit(0);

async function rebuild() {
  await sleep(settleMs);
  hasChanged = false;
  // A build that failed leaves the hub running on what it has loaded.
  if ((await build()) !== 0) return console.error('The build failed; the next change starts another.');
  if (builtHash() === running) return;
  await stopHub();
  if (stopping.signal.aborted) return;
  running = builtHash();
  hub = spawn(process.execPath, command, { stdio: 'inherit', env });
  hub.once('exit', () => {
    if (!stopping.signal.aborted) console.error('The hub has ended; the next change starts it again.');
  });
}

async function stopHub() {
  if (hub === undefined || hub.exitCode !== null || hub.signalCode !== null) return;
  hub.removeAllListeners('exit');
  const ended = once(hub, 'exit');
  hub.kill('SIGTERM');
  await ended;
}
