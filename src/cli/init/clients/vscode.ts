// VS Code: an entry in mcp.json, of the user or of the project.
import { join } from 'node:path';
import { clientEntries, vscodeKeyInput } from '../../../contract/connect/client-entries.js';
import type { InitClient } from '../client.js';
import type { FileEdit } from '../edit/file-edit.js';
import type { Places, Scope, Setup } from '../setup.js';
import { entryOf } from './entry.js';
import { instructionsIn } from './instructions.js';

const keys = ['servers', 'coterie'];

export const vscode: InitClient = {
  id: 'vscode',
  title: 'VS Code',
  programs: ['code'],
  traces: (places) => [userFolder(places)],
  scopes: ['user', 'project'],
  files: (setup) => [
    { path: fileOf(setup, setup.scope), edits: editsOf(setup) },
    ...(setup.scope === 'project' ? [instructionsIn(join(setup.folder, 'AGENTS.md'), setup)] : []),
  ],
  entry: (places, scope) => ({ path: fileOf(places, scope), keys, form: 'json' }),
  notes: () => [
    'VS Code was not tried; this is what its documentation says. It asks once whether you trust the server.',
  ],
};

function editsOf({ server }: Setup): FileEdit[] {
  const entry: FileEdit = { form: 'json', path: keys, value: entryOf(clientEntries.vscode, server) };
  const asksForKey = server.kind === 'http' && server.hasKey;
  return asksForKey ? [{ form: 'json-item', path: ['inputs'], value: vscodeKeyInput }, entry] : [entry];
}

function fileOf(places: Places, scope: Scope): string {
  return scope === 'user' ? join(userFolder(places), 'mcp.json') : join(places.folder, '.vscode', 'mcp.json');
}

function userFolder({ home, env, platform }: Places): string {
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Code', 'User');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Code', 'User');
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'Code', 'User');
}
