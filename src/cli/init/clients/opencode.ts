// OpenCode: an entry in opencode.json, or in opencode.jsonc where that is there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clientEntries } from '../../../contract/connect/client-entries.js';
import type { InitClient } from '../client.js';
import type { Places, Scope } from '../setup.js';
import { entryOf } from './entry.js';
import { instructionsIn } from './instructions.js';

const keys = ['mcp', 'coterie'];

export const opencode: InitClient = {
  id: 'opencode',
  title: 'OpenCode',
  programs: ['opencode'],
  traces: (places) => [ownFolder(places)],
  scopes: ['user', 'project'],
  files: (setup) => [
    {
      path: configFile(setup, setup.scope),
      edits: [{ form: 'json', path: keys, value: entryOf(clientEntries.opencode, setup.server) }],
    },
    instructionsIn(join(folderOf(setup, setup.scope), 'AGENTS.md'), setup),
  ],
  entry: (places, scope) => ({ path: configFile(places, scope), keys, form: 'json' }),
  notes: () => [],
};

function ownFolder({ home, env }: Places): string {
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode');
}

function folderOf(places: Places, scope: Scope): string {
  return scope === 'user' ? ownFolder(places) : places.folder;
}

function configFile(places: Places, scope: Scope): string {
  const withComments = join(folderOf(places, scope), 'opencode.jsonc');
  return existsSync(withComments) ? withComments : join(folderOf(places, scope), 'opencode.json');
}
