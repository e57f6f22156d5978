// Names that `--agent auto` gives: each belongs to the folder and client that had it first, and is locked while in use.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NameClaim } from '../../bridge/auto-name.js';
import { userFolder } from '../../config/which-folder.js';
import { idPattern } from '../../contract/ids.js';
import { makeDataFolder, refuseLink, replaceFile } from '../../store/sqlite/writer/data-folder.js';
import type { Database } from '../../store/sqlite/writer/driver.js';
import { isFileLocked, takeFileLock } from '../../store/sqlite/writer/file-lock.js';
import type { HubPlace } from './which-hub.js';

/** Until the process ends: garbage collection closes a lock that nothing refers to, and another bridge gets the name. */
const heldLocks = new Set<Database>();

interface NameOwner {
  readonly folder: string;
  readonly client: string;
  /** The process of the client that uses it now, or did last; hooks find the name by it. */
  readonly clientPid?: number | undefined;
}

type Place = Omit<HubPlace & { kind: 'folder' }, 'why'> | Omit<HubPlace & { kind: 'address' }, 'why'>;

/** Where the names at a hub are kept. Each hub has its own: at another one, the same name may be someone else's. */
export function namesPlace(hub: Place): string {
  if (hub.kind === 'folder') return hub.folder;
  return join(userFolder(process.env), 'hubs', encodeURIComponent(new URL(hub.url).host));
}

export interface NameRequest extends NameOwner {
  readonly name: string;
  readonly session: string;
}

/** `place` is the data folder of the hub. Undefined if the name is another's, or in use. */
export function claimName(place: string, request: NameRequest): NameClaim | undefined {
  const { name, session, folder, client, clientPid } = request;
  const names = join(place, 'names');
  refuseLink(names);
  makeDataFolder(names);
  const file = join(names, `${session}~${name}`);
  const isAnothers = (owner: NameOwner | undefined) =>
    owner !== undefined && (owner.folder !== folder || owner.client !== client);
  if (isAnothers(readOwner(`${file}.json`))) return undefined;
  const lock = takeFileLock(`${file}.lock`);
  if (lock === undefined) return undefined;
  // Only the holder of the lock writes the file, so what it says now is final.
  const owner = readOwner(`${file}.json`);
  if (isAnothers(owner)) {
    lock.close();
    return undefined;
  }
  if (owner === undefined || owner.clientPid !== clientPid)
    replaceFile(`${file}.json`, `${JSON.stringify({ folder, client, clientPid })}\n`);
  heldLocks.add(lock);
  return {
    isNew: owner === undefined,
    drop() {
      rmSync(`${file}.json`, { force: true });
      heldLocks.delete(lock);
      lock.close();
    },
  };
}

/** Those of running bridges. */
export function namesInUse(
  place: string,
  { session, client }: { session: string; client: string },
): (NameOwner & { name: string })[] {
  const names = join(place, 'names');
  const [start, ending] = [`${session}~`, '.json'];
  let files;
  try {
    refuseLink(names);
    files = readdirSync(names);
  } catch {
    return [];
  }
  return files.flatMap((file) => {
    const name = file.slice(start.length, -ending.length);
    if (!file.startsWith(start) || !file.endsWith(ending) || !idPattern.test(name)) return [];
    const owner = readOwner(join(names, file));
    const isUsed = owner?.client === client && isFileLocked(join(names, `${start}${name}.lock`));
    return isUsed ? [{ ...owner, name }] : [];
  });
}

function readOwner(file: string): NameOwner | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof owner !== 'object' || owner === null || !('folder' in owner) || !('client' in owner)) return undefined;
    const { folder, client } = owner;
    const clientPid = 'clientPid' in owner && typeof owner.clientPid === 'number' ? owner.clientPid : undefined;
    return typeof folder === 'string' && typeof client === 'string' ? { folder, client, clientPid } : undefined;
  } catch {
    return undefined;
  }
}
