// Gemini CLI: an entry and a hook in settings.json.
import { join } from 'node:path';
import { clientEntries } from '../../../contract/connect/client-entries.js';
import type { InitClient } from '../client.js';
import { commandLine, type Places, type Scope, type Setup } from '../setup.js';
import { entryOf } from './entry.js';
import { instructionsIn } from './instructions.js';

const hookMs = 30_000;
const keys = ['mcpServers', 'coterie'];

export const gemini: InitClient = {
  id: 'gemini',
  title: 'Gemini CLI',
  programs: ['gemini'],
  traces: ({ home }) => [join(home, '.gemini')],
  scopes: ['user', 'project'],
  files: (setup) => [
    {
      path: settingsFile(setup, setup.scope),
      edits: [
        { form: 'json', path: keys, value: entryOf(clientEntries.gemini, setup.server) },
        { form: 'json-item', path: ['hooks', 'AfterAgent'], value: { hooks: [hookOf(setup)] } },
      ],
    },
    instructionsIn(join(setup.scope === 'user' ? join(setup.home, '.gemini') : setup.folder, 'GEMINI.md'), setup),
  ],
  entry: (places, scope) => ({ path: settingsFile(places, scope), keys, form: 'json' }),
  notes: ({ scope }) =>
    scope === 'project' ? ['Gemini CLI leaves out the servers of a folder that it was not told to trust.'] : [],
};

/** Hands over mail at the end of a turn. */
function hookOf(setup: Setup): object {
  const command = commandLine(setup, ['inbox', '--hook'], '--as');
  return { name: 'coterie', type: 'command', command, timeout: hookMs };
}

function settingsFile({ home, folder }: Places, scope: Scope): string {
  return join(scope === 'user' ? home : folder, '.gemini', 'settings.json');
}
