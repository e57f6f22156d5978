// Starts what a bench measures, each in a process of its own, and ends it afterwards.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Runs `use` with the address of a server process that prints `ready <address>` as (part of) a line. */
export async function withServer(script, args, use, options = {}) {
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), script, ...args], {
    stdio: ['ignore', 'pipe', options.showErrors === true ? 'inherit' : 'ignore'],
  });
  try {
    const address = await new Promise((resolve, reject) => {
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
        const ready = /ready (\S+)/.exec(out)?.[1];
        if (ready !== undefined) resolve(ready);
      });
      child.once('exit', (code) => reject(new Error(`${script} exited with ${code}`)));
    });
    return await use(address, child);
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
}

/** A hub on a folder of its own, fresh unless one is given. */
export async function withHub(use, args = [], options = {}) {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  try {
    const cli = here('../../dist/cli/main.js');
    return await withServer(cli, ['serve', '--port', '0', '--data', data, ...args], use, options);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
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
