// Copilot CLI: an entry in mcp-config.json. It has no file of servers in a project.
import { join } from 'node:path';
import { clientEntries } from '../../../contract/connect/client-entries.js';
import type { InitClient } from '../client.js';
import type { Places } from '../setup.js';
import { entryOf } from './entry.js';
import { instructionsIn } from './instructions.js';

const keys = ['mcpServers', 'coterie'];

export const copilot: InitClient = {
  id: 'copilot',
  title: 'Copilot CLI',
  programs: ['copilot'],
  traces: ({ home }) => [join(home, '.copilot')],
  scopes: ['user'],
  files: (setup) => [
    {
      path: fileOf(setup),
      edits: [{ form: 'json', path: keys, value: entryOf(clientEntries.copilot, setup.server) }],
    },
    instructionsIn(join(setup.home, '.copilot', 'copilot-instructions.md'), setup),
  ],
  entry: (places) => ({ path: fileOf(places), keys, form: 'json' }),
  notes: () => [],
};

function fileOf({ home }: Places): string {
  return join(home, '.copilot', 'mcp-config.json');
}
