// Files of companions on this machine: switches, and what outlives one companion. They hold names and times, no message.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { userFolder } from '../../config/which-folder.js';
import { keyIdIn } from '../../contract/key.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { whichHub } from '../hub/which-hub.js';

const hashChars = 8;

export function wakeFolder(): string {
  return join(userFolder(process.env), 'wake');
}

/** One agent of one session of one hub. An agent that only its key names is called by the id of the key. */
export function agentFile(choice: HubChoice, ending: string): string {
  const place = whichHub(choice);
  const hub = shortHash(place.kind === 'folder' ? place.folder : place.url);
  const { session = 'default', agent, key } = choice;
  const name = agent ?? (key === undefined ? 'unnamed' : `key-${keyIdIn(key.text)}`);
  return join(wakeFolder(), `${hub}~${session}~${name}.${ending}`);
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, hashChars);
}
