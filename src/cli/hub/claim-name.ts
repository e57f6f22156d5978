// Names that `--agent auto` gives: each belongs to the folder and client that had it first, and is locked while in use.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NameClaim } from '../../bridge/auto-name.js';
import { makeDataFolder, refuseLink, replaceFile } from '../../store/sqlite/writer/data-folder.js';
import type { Database } from '../../store/sqlite/writer/driver.js';
import { takeFileLock } from '../../store/sqlite/writer/file-lock.js';

/** Until the process ends: garbage collection closes a lock that nothing refers to, and another bridge gets the name. */
const heldLocks = new Set<Database>();

interface NameOwner {
  readonly folder: string;
  readonly client: string;
}

export interface NameRequest extends NameOwner {
  readonly name: string;
  readonly session: string;
}

/** `place` is the data folder of the hub. Undefined if the name is another's, or in use. */
export function claimName(place: string, { name, session, folder, client }: NameRequest): NameClaim | undefined {
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
  if (owner === undefined) replaceFile(`${file}.json`, `${JSON.stringify({ folder, client })}\n`);
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

function readOwner(file: string): NameOwner | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof owner !== 'object' || owner === null || !('folder' in owner) || !('client' in owner)) return undefined;
    const { folder, client } = owner;
    return typeof folder === 'string' && typeof client === 'string' ? { folder, client } : undefined;
  } catch {
    return undefined;
  }
}
