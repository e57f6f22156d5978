// A hub on a small heap that is attacked while another process asks for its health.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cleanUpAfter } from '../support/clean-up.js';
import { startHubProcess, type HubProcess, type HubProcessOptions } from '../support/hub-process.js';

const prober = fileURLToPath(new URL('./health-prober.mjs', import.meta.url));

export interface Health {
  /** The slowest answer of /healthz, as far as it is due to the hub and not to a busy machine (health-prober.mjs). */
  slowestMs: number;
  probes: number;
  failures: number;
}

/** The most that /healthz may take while the hub is attacked. */
export const healthMsMax = 250;

const pids = new Map<string, number>();

export async function startSmallHub({ env, ...options }: HubProcessOptions = {}, heapMiB = 512): Promise<HubProcess> {
  const limit = `--max-old-space-size=${heapMiB}`;
  const hub = await startHubProcess({ ...options, env: { ...env, NODE_OPTIONS: limit } });
  pids.set(hub.url, hub.pid);
  return hub;
}

/** Runs `attack` and answers how the hub's health was meanwhile. */
export async function healthDuring(url: string, attack: () => Promise<unknown>): Promise<Health> {
  const pid = pids.get(url);
  const child = fork(prober, [`${url}/healthz`, ...(pid === undefined ? [] : [String(pid)])]);
  cleanUpAfter(() => child.kill('SIGKILL'));
  await once(child, 'message');
  await attack();
  const answer = once(child, 'message');
  child.send('end');
  // Safe: the prober sends nothing else.
  const [health] = (await answer) as [Health];
  return health;
}
