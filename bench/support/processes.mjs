// Starts what a bench measures, each in a process of its own, and ends it afterwards.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const hubCli = here('../../dist/cli/main.js');

/**
 * Starts a program and resolves once its output says that it is ready, with what the pattern's first group matched.
 * `stop` ends it and resolves when it is gone; a second call does nothing.
 */
export async function startProgram(command, args, options = {}) {
  const { ready = /ready (\S+)/, readyOn = 'stdout', stopSignal = 'SIGTERM', uid, gid } = options;
  const errors = options.showErrors === true ? 'inherit' : 'ignore';
  // A program that ends with its stdin needs one that stays open.
  const { stdin = 'ignore' } = options;
  const stdio = readyOn === 'stdout' ? [stdin, 'pipe', errors] : [stdin, 'ignore', 'pipe'];
  if (options.ipc === true) stdio.push('ipc');
  const child = spawn(command, args, { stdio, uid, gid });
  // However this process ends, the program does not outlive it.
  const end = () => child.kill(stopSignal);
  process.once('exit', end);
  const exited = once(child, 'exit').finally(() => process.off('exit', end));
  const address = await new Promise((resolve, reject) => {
    let out = '';
    const read = (chunk) => {
      out += chunk;
      const match = ready.exec(out);
      if (match === null) return;
      // From here on its output is only drained.
      child[readyOn].off('data', read).resume();
      resolve(match[1]);
    };
    child[readyOn].on('data', read);
    exited.then(([code]) => reject(new Error(`${command} exited with ${code}: ${out.slice(-2_000)}`)), reject);
  });
  const stop = async () => {
    end();
    await exited;
  };
  return { address, child, stop };
}

/** Runs `use` with the address of a server process that prints `ready <address>` as (part of) a line. */
export async function withServer(script, args, use, options = {}) {
  const server = await startProgram(process.execPath, [...(options.nodeArgs ?? []), script, ...args], options);
  try {
    return await use(server.address, server.child);
  } finally {
    await server.stop();
  }
}

/** A hub on a folder of its own, fresh unless one is given; of this build, unless the program of another is given. */
export async function withHub(use, args = [], options = {}) {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  try {
    return await withHubOn(data, use, args, options);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** The same on a folder that stays. */
export function withHubOn(data, use, args = [], options = {}) {
  // The load sends more than anyone reads, and more than a key may: neither must end it before the time is up.
  const config = join(data, 'bench.json');
  writeFileSync(config, JSON.stringify({ limits: { inbox: 1e9, callsPerSecond: 1e9, callsBurst: 1e9 } }));
  const served = ['serve', '--port', '0', '--data', data, '--config', config, ...args];
  return withServer(options.cli ?? hubCli, served, use, options);
}

/** Runs one load in its own process. */
export function runLoad(load) {
  return runScript('./load.mjs', load);
}

/** Runs a script of this folder in its own process: one message in, its figures out. */
export async function runScript(script, input) {
  const child = fork(here(script), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.send(input);
  const exited = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`${script} exited with ${code}`);
  });
  const [figures] = await Promise.race([once(child, 'message'), exited.then(() => once(child, 'message'))]);
  await exited;
  return figures;
}

export async function call(url, operation, input, headers = {}) {
  const response = await fetch(`${url}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(input),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(body));
  return body;
}
