// Which clients are on this machine: by their programs on the PATH, or by what they left in the user's home.
import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { InitClient } from './client.js';
import { initClients } from './clients/index.js';
import type { Places } from './setup.js';

/** How it was found. */
export interface Installed {
  readonly client: InitClient;
  readonly by: string;
}

export function installedClients(places: Places): Installed[] {
  return initClients.flatMap((client) => {
    const by = findProgram(client.programs, places) ?? client.traces(places).find((path) => existsSync(path));
    return by === undefined ? [] : [{ client, by }];
  });
}

/** The path of the first of these programs that is on the PATH. */
export function findProgram(names: readonly string[], { env, platform }: Pick<Places, 'env' | 'platform'>) {
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders
    .flatMap((folder) => names.flatMap((name) => endings.map((ending) => join(folder, name + ending))))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    const found = statSync(path);
    return found.isFile() && (process.platform === 'win32' || (found.mode & 0o111) !== 0);
  } catch {
    return false;
  }
}
