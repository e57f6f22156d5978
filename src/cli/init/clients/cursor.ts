// Cursor: an entry in mcp.json, and a hook.
import { join } from 'node:path';
import { clientEntries } from '../../../contract/connect/client-entries.js';
import type { InitClient } from '../client.js';
import { commandLine, type Places, type Scope } from '../setup.js';
import { entryOf } from './entry.js';
import { instructionsIn } from './instructions.js';

const keys = ['mcpServers', 'coterie'];

export const cursor: InitClient = {
  id: 'cursor',
  title: 'Cursor',
  programs: ['cursor', 'cursor-agent'],
  traces: ({ home }) => [join(home, '.cursor')],
  scopes: ['user', 'project'],
  files: (setup) => [
    {
      path: fileOf(setup, setup.scope, 'mcp.json'),
      edits: [{ form: 'json', path: keys, value: entryOf(clientEntries.cursor, setup.server) }],
    },
    // Hands over mail at the end of a turn.
    {
      path: fileOf(setup, setup.scope, 'hooks.json'),
      edits: [
        { form: 'json-default', path: ['version'], value: 1 },
        {
          form: 'json-item',
          path: ['hooks', 'stop'],
          value: { command: commandLine(setup, ['inbox', '--hook'], '--as') },
        },
      ],
    },
    // Rules of a user are kept by Cursor itself, not in a file.
    ...(setup.scope === 'project' ? [instructionsIn(join(setup.folder, 'AGENTS.md'), setup)] : []),
  ],
  entry: (places, scope) => ({ path: fileOf(places, scope, 'mcp.json'), keys, form: 'json' }),
  notes: ({ scope }) => [
    'Cursor was not tried; this is what its documentation says.',
    ...(scope === 'user' ? ['Paste what `coterie prompt` prints into Cursor’s rules for the user.'] : []),
  ],
};

function fileOf({ home, folder }: Places, scope: Scope, name: string): string {
  return join(scope === 'user' ? home : folder, '.cursor', name);
}
