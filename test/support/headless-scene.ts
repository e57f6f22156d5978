// An agent whose client is a command of `coterie wake run`, and what that command has noted.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Running } from '../cli/run-cli.js';
import { cleanUpAfter } from './clean-up.js';
import { newAgent, startCompanion, type Woken } from './woken-agent.js';
import { eventually } from './eventually.js';
import { isRunning } from './is-running.js';
import { tempFolder } from './temp-folder.js';

const client = fileURLToPath(new URL('headless-client.mjs', import.meta.url));

export interface Noted {
  what: string;
  pid: number;
  at: number;
  rest: string[];
}

export interface HeadlessScene extends Woken {
  /** A companion; `behaviour` is what headless-client.mjs does. */
  start(behaviour: string, flags?: readonly string[], rest?: readonly string[]): Running;
  noted(): Noted[];
  count(what: string): number;
  happens(what: string, times?: number): Promise<void>;
  /** Of commands that are held. */
  letGo(): void;
}

export interface SceneOptions {
  url: () => string;
  /** What tells the companion which hub is meant. */
  flags: readonly string[];
  /** What tells the command: a URL or a data folder. */
  hub: string;
  env: Record<string, string>;
}

export async function headlessScene({ url, flags: hubFlags, hub, env }: SceneOptions): Promise<HeadlessScene> {
  const woken = await newAgent(url);
  const log = join(tempFolder(), 'client.log');
  const noted = (): Noted[] => {
    const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  };
  cleanUpAfter(() => {
    for (const { pid } of noted()) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  const count = (what: string) => noted().filter((entry) => entry.what.startsWith(what)).length;
  return {
    ...woken,
    noted,
    count,
    happens: (what, times = 1) => eventually(`${times} × ${what}`, () => count(what) >= times).then(() => {}),
    letGo: () => writeFileSync(`${log}.go`, ''),
    start(behaviour, flags = [], rest = ['{prompt}']) {
      const command = [process.execPath, client, behaviour, log, hub, '{agent}', ...rest];
      return startCompanion(['run', '--agent', woken.agent, ...hubFlags, ...flags, '--', ...command], { env });
    },
  };
}
