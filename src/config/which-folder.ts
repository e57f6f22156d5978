// Which data folder is meant: the one that was named, else the project's own, else the user's own.
import { realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { requireOwn } from './own-folder.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface FolderChoice {
  readonly path: string;
  readonly why: string;
}

/** `named` and where: a flag, a variable or the config file. */
export function whichFolder(named: { value: string; source: string } | undefined, env: Environment): FolderChoice {
  if (named !== undefined) return { path: named.value, why: `${named.source} names this folder` };
  if (statSync('.coterie', { throwIfNoEntry: false })?.isDirectory() === true) {
    // Resolved once: a link must not lead elsewhere after it was checked.
    const path = realpathSync('.coterie');
    requireOwn(path);
    return { path, why: 'this folder has a .coterie, a hub of its own' };
  }
  return { path: userFolder(env), why: 'no --url, no --data and no ./.coterie: your own hub' };
}

/** Where the platform keeps the data of a user's programs. */
export function userFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') {
    return join(absolute(env['LOCALAPPDATA']) ?? join(homeOf(env), 'AppData', 'Local'), 'Coterie');
  }
  if (platform === 'darwin') return join(homeOf(env), 'Library', 'Application Support', 'Coterie');
  // The XDG specification says to ignore a relative path.
  return join(absolute(env['XDG_DATA_HOME']) ?? join(homeOf(env), '.local', 'share'), 'coterie');
}

/** HOME may be empty in a service. */
function homeOf(env: Environment): string {
  return absolute(env['HOME']) ?? absolute(homedir()) ?? userInfo().homedir;
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
