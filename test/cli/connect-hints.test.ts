// The lines that `coterie serve --hints` and npm start print: each works as it stands, from any folder.
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { call } from '../support/http-call.js';
import { newUser } from '../support/new-user.js';
import { tempFolder } from '../support/temp-folder.js';
import { startCli } from './run-cli.js';

const hasShell = process.platform !== 'win32';

async function hintsOf(
  args: string[],
  env: Record<string, string>,
): Promise<{ url: string; lineOf: (client: string) => string }> {
  const serving = startCli(['serve', '--hints', '--port', '0', ...args], { env, cwd: tempFolder() });
  cleanUpAfter(() => serving.end('SIGKILL'));
  await serving.shows(/^coterie ready [^]*claude -p/m);
  const url = /ready (\S+)/.exec(serving.stdout())?.[1] ?? '';
  const lines = serving.stderr().split('\n');
  const lineOf = (client: string) => lines.find((line) => line.startsWith(`  ${client} `))?.slice(15) ?? '';
  return { url, lineOf };
}

/** What a program of that name is given by the line. */
function argumentsIn(line: string): string[] {
  const folder = tempFolder();
  const [program = ''] = line.split(' ');
  writeFileSync(join(folder, program), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
  chmodSync(join(folder, program), 0o755);
  const out = execFileSync('sh', ['-c', line], { env: { PATH: `${folder}:${process.env['PATH']}` }, encoding: 'utf8' });
  return out.trimEnd().split('\n');
}

it.skipIf(!hasShell)('lines for the terminal give each client the address', async () => {
  const { url, lineOf } = await hintsOf([], newUser().env);
  const address = `${url}/mcp?agent=YOUR-NAME`;
  expect(argumentsIn(lineOf('Claude Code'))).toEqual(['mcp', 'add', '--transport', 'http', 'coterie', address]);
  expect(argumentsIn(lineOf('Codex'))).toEqual(['mcp', 'add', 'coterie', '--url', address]);
  expect(argumentsIn(lineOf('Gemini CLI'))).toEqual([
    'mcp',
    'add',
    '--scope',
    'user',
    '--transport',
    'http',
    'coterie',
    address,
  ]);
  const [flag, server = ''] = argumentsIn(lineOf('VS Code'));
  expect(flag).toBe('--add-mcp');
  expect(JSON.parse(server)).toEqual({ name: 'coterie', type: 'http', url: address });
  // cmd.exe knows no single quotes, and these characters mean something to it.
  expect(lineOf('VS Code')).not.toMatch(/['&|<>^%]/);
});

it('entries for configuration files are JSON', async () => {
  const { url, lineOf } = await hintsOf([], newUser().env);
  const entryOf = (client: string) => JSON.parse(lineOf(client).replace(/^in \S+: /, ''));
  const address = `${url}/mcp?agent=YOUR-NAME`;
  expect(lineOf('Copilot CLI')).toMatch(/^in ~\/\.copilot\/mcp-config\.json: /);
  expect(entryOf('Copilot CLI').mcpServers.coterie).toEqual({ type: 'http', url: address, tools: ['*'] });
  expect(lineOf('OpenCode')).toMatch(/^in opencode\.json: /);
  expect(entryOf('OpenCode').mcp.coterie).toEqual({ type: 'remote', url: address, enabled: true });
});

it.skipIf(!hasShell).each([
  ['the user’s own hub', () => []],
  ['the hub of a folder', () => ['--data', join(tempFolder(), 'our team')]],
])('the stdio line leads to %s from any folder', async (_, argsOf) => {
  const { env, project } = newUser();
  const { url, lineOf } = await hintsOf(argsOf(), env);
  const cwd = project('elsewhere');
  const client = new Client({ name: 'test', version: '1' });
  const line = lineOf('any on stdio');
  expect(line).toContain('--agent YOUR-NAME');
  const args = ['-c', `exec ${line.replace('YOUR-NAME', 'ben')}`];
  await client.connect(new StdioClientTransport({ command: 'sh', args, cwd, env, stderr: 'ignore' }));
  cleanUpAfter(() => client.close());
  await client.callTool({ name: 'register_agent', arguments: {} });
  expect((await call(url, 'list_agents', {})).agents).toMatchObject([{ id: 'ben' }]);
});
