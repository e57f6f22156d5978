// doctor's checks of this machine: Node, the data folder, the port.
import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Place } from '../../config.js';
import { whyNotOwn } from '../../config/own-folder.js';
import { isPortOfHub } from '../hub/port-in-use.js';
import { runningHub } from '../hub/running-hub.js';
import { shortPath } from '../show/short-path.js';

export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'wrong';
  readonly says: string;
  /** What to do about it. */
  readonly fix?: string;
}

const nodeMin = [20, 19] as const;

export function checkNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1]);
  const says = `Node ${version}`;
  if (isEnough) return { name: 'node', state: 'ok', says };
  return { name: 'node', state: 'wrong', says, fix: `Install Node ${nodeMin.join('.')} or newer.` };
}

const wrong = (says: string, fix: string): Check => ({ name: 'data', state: 'wrong', says, fix });

export function checkDataFolder(data: string): Check {
  const path = resolve(data);
  const choose = 'choose a writable folder with --data DIR';
  const existing = nearestExisting(path);
  if (!statSync(existing).isDirectory())
    return wrong(`${shortPath(existing)} is not a folder`, `Remove it, or ${choose}.`);
  const errorCode = existing === path ? writeError(path) : accessError(existing);
  if (errorCode !== undefined) {
    const says = `${shortPath(existing)} is not writable (${errorCode}); it belongs to ${ownerOf(existing)}`;
    return wrong(says, `Free disk space or change the owner, or ${choose}.`);
  }
  const problem = whyNotOwn(path);
  if (problem !== undefined) {
    const says = `${shortPath(path)} ${problem}: its hub cannot be trusted`;
    return wrong(says, `Make it yours alone (chmod go-w), name the hub with --url URL, or ${choose}.`);
  }
  const note = runningHub(path);
  const holder = note === undefined ? 'no hub uses it' : `used by the hub with pid ${note.pid}`;
  const says =
    existing === path
      ? `${shortPath(path)} is writable, belongs to ${ownerOf(path)}, ${holder}`
      : `${shortPath(path)} will be created by the first hub`;
  return { name: 'data', state: 'ok', says };
}

/** Creates and removes a file: a folder with write permission may still be full or on a read-only disk. */
function writeError(folder: string): string | undefined {
  const file = join(folder, `doctor-${process.pid}`);
  try {
    writeFileSync(file, 'x', { flag: 'wx' });
    rmSync(file);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

function accessError(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function ownerOf(path: string): string {
  const { uid } = statSync(path);
  const me = userInfo();
  // Windows has no uids.
  if (me.uid === -1 || uid === me.uid) return `you (${me.username})`;
  return uid === 0 ? 'root' : `user ${uid}`;
}

/** Only checked when no hub runs: is its port free? */
export async function checkPort(place: Pick<Place, 'host' | 'port' | 'tls'>): Promise<Check> {
  const { host, port } = place;
  const failure = await new Promise<string | undefined>((resolvePort) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolvePort(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolvePort(undefined)));
  });
  if (failure === undefined) return { name: 'port', state: 'ok', says: `${host}:${port} is free` };
  const isHub = failure === 'EADDRINUSE' && (await isPortOfHub(place));
  const user = isHub ? 'a Coterie hub of another folder' : 'another program';
  const says = `${host}:${port} ${failure === 'EADDRINUSE' ? `is used by ${user}` : `cannot be used (${failure})`}`;
  return {
    name: 'port',
    state: 'wrong',
    says,
    fix: 'Use another port: coterie serve --port 0 picks a free one.',
  };
}
