// Finds the hub that serves a data folder, or starts one. Bridges that search at the same time find the same hub: the
// folder's lock lets only one of their hubs start, and the others search again.
import { setTimeout as sleep } from 'node:timers/promises';
import { HubError } from '../contract/errors.js';
import { shellArgument } from '../contract/shell-argument.js';
import { startHub, type StartPorts } from './start-hub.js';
import { StartLock } from './start-lock.js';

const pollMs = 50;
const searchMsMax = 20_000;
const readyMs = 2_000;
/** A hub that just stopped may be restarted by whoever stopped it. */
const restartMs = 1_500;

export interface FindPorts extends StartPorts {
  /** Creates the folder; throws if it cannot be used. */
  prepareFolder: () => void;
  isFolderFree: () => boolean;
  port: number;
  /** Whether the user chose the port; if not, any free port is used. */
  isPortChosen: boolean;
}

export async function findHub(ports: FindPorts, hadHub: boolean): Promise<string> {
  ports.prepareFolder();
  const startLock = new StartLock(ports.data);
  const startedAt = performance.now();
  let port = ports.port;
  for (;;) {
    const searchedMs = performance.now() - startedAt;
    // Only one bridge starts a hub; the others wait for it.
    if (!startLock.isHeldByOther()) {
      if (!ports.isFolderFree()) {
        const url = await servingUrl(ports);
        if (url !== undefined) return url;
      } else if ((!hadHub || searchedMs >= restartMs) && startLock.acquire()) {
        port = await startOne(ports, port).finally(() => startLock.release());
        continue;
      }
    }
    if (searchedMs > searchMsMax) throw notFound(ports.data);
    // Unreferenced: this must not keep a bridge alive whose client is gone.
    await sleep(pollMs, undefined, { ref: false });
  }
}

/** Whether the folder's hub serves now. */
export async function isHubServing(ports: FindPorts): Promise<boolean> {
  return (await servingUrl(ports)) !== undefined;
}

/** Starts a hub, unless another process was faster. Returns the port for the next attempt. */
async function startOne(ports: FindPorts, port: number): Promise<number> {
  try {
    await startHub(ports, port);
    return port;
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    if (error.code === 'DATA_IN_USE') return port;
    if (error.code === 'PORT_IN_USE' && !ports.isPortChosen) return 0;
    throw error;
  }
}

/** The hub may be still starting or already stopping. */
async function servingUrl({ runningHub }: FindPorts): Promise<string | undefined> {
  const hub = runningHub();
  if (hub === undefined) return undefined;
  try {
    const answer = await fetch(`${hub.url}/readyz`, { signal: AbortSignal.timeout(readyMs) });
    await answer.text();
    return answer.ok ? hub.url : undefined;
  } catch {
    return undefined;
  }
}

function notFound(data: string): HubError {
  return new HubError('HUB_UNREACHABLE', `The hub of ${data} cannot be reached.`, {
    hint: `A process holds the folder's lock and does not answer, or this user cannot write to the folder. Try: coterie stop --data ${shellArgument(data)}`,
    details: { data, outcome: 'not_sent' },
  });
}
