// The last session of a client that an agent had here: what `{session}` of a command means if no other is given.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDataFolder, replaceFile } from '../../store/sqlite/writer/data-folder.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { agentFile } from './wake-folder.js';

/** A client's session becomes an argument of a command, so it never looks like an option. */
const form = /^[A-Za-z0-9][\w.:-]{0,99}$/;

export const clientSessionForm = 'letters, digits and ._:-, at most 100';

export function isClientSession(value: string): boolean {
  return form.test(value);
}

export function noteClientSession(choice: HubChoice, session: string): void {
  if (!isClientSession(session)) return;
  try {
    const file = agentFile(choice, 'session');
    makeDataFolder(dirname(file));
    replaceFile(file, `${session}\n`);
  } catch {
    // A hook works without it.
  }
}

export function notedClientSession(choice: HubChoice): string | undefined {
  try {
    const session = readFileSync(agentFile(choice, 'session'), 'utf8').trim();
    return isClientSession(session) ? session : undefined;
  } catch {
    return undefined;
  }
}
