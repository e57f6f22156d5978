// A real hub in its own process, on a port and a folder of its own, as a user would run it; or several, where the world
// of this test file has several.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cleanUpAfter, type Lifetime } from './clean-up.js';
import { flagsOf, gather } from './hub-team.js';
import { tempFolder } from './temp-folder.js';
import { databaseEnv, databaseOf } from './test-database.js';
import { hubsAtOnce } from './world.js';

export const cliPath = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface HubProcess {
  url: string;
  data: string;
  /** What tells a command which hub is meant. */
  flags: string[];
  pid: number;
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export interface HubProcessOptions extends Lifetime {
  data?: string;
  args?: string[];
  env?: NodeJS.ProcessEnv;
  script?: string;
}

/** Killed after the test, or after the file when no test runs. Where there are several, pid and child are those of the first. */
export async function startHubProcess(options: HubProcessOptions = {}): Promise<HubProcess> {
  const data = options.data ?? tempFolder(options);
  const env = { ...databaseEnv(await databaseOf(data)), ...options.env };
  const hubs = await Promise.all(Array.from({ length: hubsAtOnce }, () => startOne({ ...options, data, env })));
  const [first] = hubs;
  if (first === undefined) throw new Error('a world has a hub');
  const team = await gather(hubs.map(({ url }) => url));
  const hub = {
    ...first,
    url: team.url,
    data,
    flags: flagsOf(data, team.url),
    stdout: () => hubs.map((one) => one.stdout()).join(''),
    stderr: () => hubs.map((one) => one.stderr()).join(''),
    async kill() {
      await Promise.all(hubs.map((one) => one.end('SIGKILL')));
      await team.stop();
    },
    async stop() {
      const exitCodes = await Promise.all(hubs.map((one) => one.end('SIGTERM')));
      await team.stop();
      const [failed = 0] = exitCodes.filter((code) => code !== 0);
      return failed;
    },
  };
  cleanUpAfter(() => hub.kill(), options);
  return hub;
}

async function startOne({ data, args = [], env, script }: HubProcessOptions & { data: string }) {
  const command = script === undefined ? [cliPath, 'serve'] : [script];
  const child = spawn(process.execPath, [...command, '--port', '0', '--data', data, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  // A test that fails before it stops its hub must not leave it running.
  process.once('exit', () => child.kill('SIGKILL'));
  let [out, errors] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      const ready = /^coterie ready (\S+)$/m.exec(out);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    });
    child.once('exit', (code) => reject(new Error(`the hub exited with ${code}: ${errors}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    child,
    stdout: () => out,
    stderr: () => errors,
    async end(signal: NodeJS.Signals) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}
