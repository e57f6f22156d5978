// The hub that runs for a data folder. Its note is believed only in a folder of the user's own whose lock is held, and
// only if it names an address of this machine: a folder that came with a repository must not decide where messages go.
import { networkInterfaces } from 'node:os';
import { requireOwn } from '../../config/own-folder.js';
import { isLoopback } from '../../http/guard.js';
import { isLocked, lockFileOf, readHubNote, type HubNote } from '../../store/sqlite/writer/data-folder.js';

/** Undefined when none runs, or it has not written its note yet. A folder of someone else is refused. */
export function runningHub(folder: string): HubNote | undefined {
  requireOwn(folder);
  // Whoever can write this file can lock it.
  requireOwn(lockFileOf(folder));
  // The lock first: a hub removes an older note before it takes the lock.
  if (!isLocked(folder)) return undefined;
  const note = readHubNote(folder);
  return note !== undefined && isOfThisMachine(note.url) ? { ...note, url: new URL(note.url).origin } : undefined;
}

function isOfThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  const address = hostname.replace(/^\[|\]$/g, '');
  const own = Object.values(networkInterfaces()).flat();
  return isLoopback(address) || own.some((known) => known?.address === address);
}
