// Finds the hub that serves a data folder, or starts one. Bridges that look at the same moment end at the same hub:
// the folder's lock lets only one of their hubs live, and the others look again.
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { HubError } from '../contract/errors.js';
import { isAlive } from './is-alive.js';
import { startHub, type StartPorts } from './start-hub.js';
import { StartTurn } from './start-turn.js';

const lookEveryMs = 50;
const searchMsMax = 20_000;
const readyMs = 2_000;
/** A hub that was there a moment ago may be on its way back, started by the one who stopped it. */
const returnMs = 1_500;

export interface FindPorts extends StartPorts {
  isFolderFree: () => boolean;
  notedHub: () => { pid: number; url: string } | undefined;
  port: number;
  /** Whether the port was asked for; if not, any free one will do. */
  isPortChosen: boolean;
}

export async function findHub(ports: FindPorts, isReturning: boolean): Promise<string> {
  makeFolder(ports.data);
  const turn = new StartTurn(ports.data);
  const startedAt = performance.now();
  let port = ports.port;
  for (;;) {
    const searchedMs = performance.now() - startedAt;
    // Asking whether the folder is free takes its lock for an instant, which a hub that is starting must not meet.
    if (!turn.isTaken()) {
      if (!ports.isFolderFree()) {
        const url = await servingUrl(ports);
        if (url !== undefined) return url;
      } else if ((!isReturning || searchedMs >= returnMs) && turn.take()) {
        port = await startOne(ports, port).finally(() => turn.end());
        continue;
      }
    }
    if (searchedMs > searchMsMax) throw notFound(ports.data);
    // Not a reason to keep a bridge alive whose client has gone.
    await sleep(lookEveryMs, undefined, { ref: false });
  }
}

/** Starts a hub, or learns that another was quicker. Returns the port for another try. */
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

/** A note may be a dead hub's, or that of one still starting or already stopping. */
async function servingUrl({ notedHub }: FindPorts): Promise<string | undefined> {
  const note = notedHub();
  if (note === undefined || !isAlive(note.pid)) return undefined;
  try {
    const answer = await fetch(`${note.url}/readyz`, { signal: AbortSignal.timeout(readyMs) });
    await answer.text();
    return answer.ok ? note.url : undefined;
  } catch {
    return undefined;
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new HubError('DATA_NOT_WRITABLE', `Cannot make the data folder ${path}.`, {
      hint: 'Give --data a folder this user can write.',
      details: { path },
      cause,
    });
  }
}

function notFound(data: string): HubError {
  return new HubError('HUB_UNREACHABLE', `The hub of ${data} cannot be reached.`, {
    hint: `Something holds the folder and does not answer, or this user may not write it. Try: coterie stop --data ${data}`,
    details: { data, outcome: 'not_sent' },
  });
}
