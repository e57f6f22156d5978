// A path as people write it.
import { homedir } from 'node:os';
import { sep } from 'node:path';

/** With `~` for the home folder. */
export function shortPath(path: string): string {
  const home = homedir() + sep;
  return path.startsWith(home) ? `~${sep}${path.slice(home.length)}` : path;
}
