// A real hub in its own process, on a port and a folder of its own, as a user would run it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const cliPath = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface HubProcess {
  url: string;
  data: string;
  pid: number;
  child: ChildProcess;
  stderr(): string;
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export function tempFolder(): string {
  return mkdtempSync(join(tmpdir(), 'coterie-test-'));
}

export async function startHubProcess(
  options: { data?: string; args?: string[]; env?: NodeJS.ProcessEnv; script?: string } = {},
): Promise<HubProcess> {
  const data = options.data ?? tempFolder();
  const command = options.script === undefined ? [cliPath, 'serve'] : [options.script];
  const child = spawn(process.execPath, [...command, '--port', '0', '--data', data, ...(options.args ?? [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  });
  // A test that fails before it stops its hub must not leave it running.
  process.once('exit', () => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      const ready = /^coterie ready (\S+)$/m.exec(out);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    });
    child.once('exit', (code) => reject(new Error(`the hub exited with ${code}: ${errors}`)));
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  };
  return {
    url,
    data,
    pid: child.pid ?? 0,
    child,
    stderr: () => errors,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
