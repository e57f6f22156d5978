// Codex: a table in config.toml, and a hook that hands over mail at the end of a turn.
import { join } from 'node:path';
import type { InitClient, PlannedFile } from '../client.js';
import type { TomlTable } from '../edit/toml-edit.js';
import { commandLine, hasKey, type Places, type Scope, type Server, type Setup } from '../setup.js';
import { instructionsIn } from './instructions.js';

const tableName = ['mcp_servers', 'coterie'];

export const codex: InitClient = {
  id: 'codex',
  title: 'Codex',
  programs: ['codex'],
  traces: (places) => [ownFolder(places)],
  scopes: ['user', 'project'],
  files: (setup) => [
    { path: join(folderOf(setup, setup.scope), 'config.toml'), edits: [{ form: 'toml', table: tableOf(setup) }] },
    ...hookFile(setup),
    instructionsIn(join(setup.scope === 'user' ? ownFolder(setup) : setup.folder, 'AGENTS.md'), setup),
  ],
  entry: (places, scope) => ({ path: join(folderOf(places, scope), 'config.toml'), keys: tableName, form: 'toml' }),
  notes: (setup) => [
    hookFile(setup).length === 0
      ? 'Codex gets no hook without a name: --agent NAME adds one that hands over mail at the end of a turn.'
      : 'Codex asks once whether you trust the hook; until then it does not run it.',
    ...(setup.scope === 'project' ? ['It reads the settings of a project that it was told to trust.'] : []),
  ],
};

/** Codex tells a hook nothing by which it could be told from Claude Code, so the agent must have a name or a key. */
function hookFile(setup: Setup): PlannedFile[] {
  const { agent, scope, server } = setup;
  const isNamed = agent !== undefined || hasKey(server);
  if (!isNamed) return [];
  const hook = { type: 'command', command: commandLine(setup, ['inbox', '--hook'], '--as'), timeout: 30 };
  const edit = { form: 'json-item', path: ['hooks', 'Stop'], value: { hooks: [hook] } } as const;
  return [{ path: join(folderOf(setup, scope), 'hooks.json'), edits: [edit] }];
}

function ownFolder({ home, env }: Places): string {
  return env['CODEX_HOME'] || join(home, '.codex');
}

function folderOf(places: Places, scope: Scope): string {
  return scope === 'user' ? ownFolder(places) : join(places.folder, '.codex');
}

function tableOf({ server, env }: Setup): TomlTable {
  const keys = ['command', 'args', 'env_vars', 'url', 'bearer_token_env_var'];
  const pairs = server.kind === 'http' ? overHttp(server) : onStdio(server.command, env);
  return { name: tableName, pairs, excludes: keys.filter((key) => !pairs.some(([set]) => set === key)) };
}

function overHttp(server: Extract<Server, { kind: 'http' }>): [string, string][] {
  const key: [string, string][] = server.hasKey ? [['bearer_token_env_var', '"COTERIE_KEY"']] : [];
  return [['url', JSON.stringify(server.url)], ...key];
}

function onStdio([program = '', ...args]: readonly string[], env: Places['env']): [string, string][] {
  // Codex passes on few variables. Without this one the command would look for the hub in another folder.
  const vars = ['XDG_DATA_HOME'].filter((name) => env[name]);
  return [
    ['command', JSON.stringify(program)],
    ['args', `[${args.map((arg) => JSON.stringify(arg)).join(', ')}]`],
    ...(vars.length === 0 ? [] : [['env_vars', JSON.stringify(vars)] as [string, string]]),
  ];
}
