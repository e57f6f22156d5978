// Claude Code: a plugin in the folder of skills, which it loads by itself. Nothing of its own settings is changed.
import { join } from 'node:path';
import { clientEntries } from '../../../contract/connect/client-entries.js';
import { packageVersion } from '../../../version.js';
import type { InitClient, PlannedFile } from '../client.js';
import { commandLine, hasKey, type Places, type Scope, type Setup } from '../setup.js';
import { entryOf } from './entry.js';
import { instructionsIn } from './instructions.js';

/** Without it Claude Code ends the hook after ten minutes. */
const hookSeconds = 86_400;

export const claude: InitClient = {
  id: 'claude',
  title: 'Claude Code',
  programs: ['claude'],
  traces: (places) => [configFolder(places), join(places.home, '.claude.json')],
  scopes: ['user', 'project'],
  files: (setup) => [
    ...pluginFiles(setup),
    instructionsIn(join(setup.scope === 'user' ? configFolder(setup) : setup.folder, 'CLAUDE.md'), setup),
  ],
  entry: (places, scope) => ({
    path: join(pluginFolder(places, scope), '.mcp.json'),
    keys: ['mcpServers', 'coterie'],
    form: 'json',
  }),
  notes: ({ scope }) => [
    'Claude Code loads the plugin when it starts; in one that runs, /reload-plugins.',
    ...(scope === 'project' ? ['It asks once whether you trust the server of this project.'] : []),
    "claude -p asks for permission: claude -p --allowedTools 'mcp__plugin_coterie_coterie__*' …",
  ],
};

function configFolder({ home, env }: Places): string {
  return env['CLAUDE_CONFIG_DIR'] || join(home, '.claude');
}

function pluginFolder(places: Places, scope: Scope): string {
  return join(scope === 'user' ? configFolder(places) : join(places.folder, '.claude'), 'skills', 'coterie');
}

function pluginFiles(setup: Setup): PlannedFile[] {
  const folder = pluginFolder(setup, setup.scope);
  const whole = (path: string, text: string): PlannedFile => ({
    path: join(folder, path),
    edits: [{ form: 'whole', text }],
  });
  const json = (path: string, value: unknown) => whole(path, `${JSON.stringify(value, null, 2)}\n`);
  const command = (words: readonly string[], nameFlag = '--agent') => commandLine(setup, words, nameFlag);
  // It would keep `claude -p` from ending.
  const line = `test "$CLAUDE_CODE_SESSION_ATTENDED" = 0 || exec ${command(['wake', 'hook'])}`;
  const wake = { type: 'command', command: line, asyncRewake: true, timeout: hookSeconds };
  const deliver = { type: 'command', command: command(['inbox', '--hook'], '--as'), timeout: 30 };
  return [
    json('.claude-plugin/plugin.json', {
      name: 'coterie',
      version: packageVersion,
      description: 'Mail between agents, and questions to people. Written by `coterie init`.',
      author: { name: 'Coterie' },
      license: 'Apache-2.0',
    }),
    json('.mcp.json', { mcpServers: { coterie: entryOf(clientEntries.claude, setup.server) } }),
    json('hooks/hooks.json', {
      hooks: { SessionStart: [{ hooks: [wake] }], Stop: [{ hooks: [deliver] }, { hooks: [wake] }] },
    }),
    // Claude Code starts no monitors of a project. Without a name or a key, only a hook knows whom to wake.
    ...(setup.scope === 'user' && (setup.agent !== undefined || hasKey(setup.server))
      ? [
          json('monitors/monitors.json', [
            // After the hook, which is faster.
            { name: 'coterie', command: `${command(['wake', 'lines'])} --position 1`, description: 'Coterie mail' },
          ]),
        ]
      : []),
    whole('commands/inbox.md', inboxCommand),
    whole('commands/ask.md', askCommand),
  ];
}

const inboxCommand = `---
description: Read your Coterie mail, and act on it
---

Call get_messages of Coterie. Do what the messages ask for, and answer each in the thread that it came from.
`;

const askCommand = `---
description: Ask a person through Coterie, and wait for the answer
argument-hint: <question>
---

Put this question to a person with ask_question of Coterie, then call get_response with waitMs until it is answered:

$ARGUMENTS
`;
