// Installs a client, at the version that the table is about, in the user's cache.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installAside, newerNode } from '../install-aside.mjs';

/** The command line that starts it. */
export function installClient(name, { package: wanted, needsNewerNode = false }) {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'coterie-clients');
  const folder = join(cache, `${name}-${wanted.version}`);
  console.error(`Installing ${wanted.name}@${wanted.version}, if it is not there …`);
  const exitCode = installAside(folder, needsNewerNode ? [wanted, newerNode] : [wanted]);
  if (exitCode !== 0) process.exit(exitCode);
  const modules = join(folder, 'node_modules');
  const bin = join(modules, '.bin', name);
  return needsNewerNode ? [join(modules, newerNode.name, newerNode.bin), bin] : [bin];
}
