// The lines that `coterie serve --hints` and npm start print: each works as it stands, from any folder.
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { newUser } from '../support/new-user.js';
import { tempFolder } from '../support/temp-folder.js';
import { hasTerminal, startOnTerminal } from './on-terminal.js';
import { output, runCli, startCli } from './run-cli.js';

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

describe('with keys', () => {
  it.skipIf(!hasShell)('lines for the terminal say where the client finds the key', async () => {
    const { env } = newUser();
    await output(['keys', 'create', '--agent', 'ann'], { env, cwd: tempFolder() });
    const { url, lineOf } = await hintsOf([], env);
    const header = 'Authorization: Bearer ${COTERIE_KEY}';
    const address = `${url}/mcp`;
    const claude = ['mcp', 'add', '--transport', 'http', 'coterie', address, '--header', header];
    expect(argumentsIn(lineOf('Claude Code'))).toEqual(claude);
    const codex = ['mcp', 'add', 'coterie', '--url', address, '--bearer-token-env-var', 'COTERIE_KEY'];
    expect(argumentsIn(lineOf('Codex'))).toEqual(codex);
    const gemini = ['mcp', 'add', '--scope', 'user', '--transport', 'http', '--header', header, 'coterie', address];
    expect(argumentsIn(lineOf('Gemini CLI'))).toEqual(gemini);
    expect(lineOf('any on stdio')).not.toContain('--agent');
    // A line is the same wherever it is shown.
    const shown = await (await fetch(`${url}/app/hub`)).json();
    const same = expect.objectContaining({ id: 'claude', text: lineOf('Claude Code') });
    expect(shown).toMatchObject({ connect: expect.arrayContaining([same]) });
    const one = await runCli(['connect', 'claude'], { env, cwd: tempFolder() });
    expect(one).toMatchObject({ exitCode: 0, stdout: `${lineOf('Claude Code')}\n` });
    expect(one.stderr).toMatch(/^No line contains a key\. Set COTERIE_KEY/);
  });

  it('entries for configuration files name no key', async () => {
    const { env } = newUser();
    const key = (await output(['keys', 'create', '--agent', 'ann'], { env, cwd: tempFolder() })).trim();
    const { url } = await hintsOf([], env);
    const said = await runCli(['connect', '--json'], { env: { ...env, COTERIE_KEY: key }, cwd: tempFolder() });
    expect(said.stdout).not.toContain(key);
    const { clients, hasKeys } = JSON.parse(said.stdout);
    expect(hasKeys).toBe(true);
    const entryOf = (wanted: string) => JSON.parse(clients.find(({ id }: { id: string }) => id === wanted).text);
    const headers = { Authorization: 'Bearer ${COTERIE_KEY}' };
    expect(entryOf('copilot').mcpServers.coterie).toEqual({ type: 'http', url: `${url}/mcp`, headers, tools: ['*'] });
    expect(entryOf('opencode').mcp.coterie.headers).toEqual({ Authorization: 'Bearer {env:COTERIE_KEY}' });
    const { inputs, servers } = entryOf('vscode');
    expect(inputs).toMatchObject([{ type: 'promptString', password: true }]);
    expect(servers.coterie.headers.Authorization).toBe(`Bearer \${input:${inputs[0].id}}`);
  });
});

it('coterie connect names the agent, and the clients it knows', async () => {
  const { env } = newUser();
  const { url } = await hintsOf([], env);
  const codex = await output(['connect', 'codex', '--agent', 'builder'], { env, cwd: tempFolder() });
  expect(codex).toBe(`codex mcp add coterie --url "${url}/mcp?agent=builder"\n`);
  const unknown = await runCli(['connect', 'cluade'], { env, cwd: tempFolder() });
  expect(unknown).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/Did you mean claude\? Clients: claude,/),
  });
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
  const { agents } = await call(url, 'list_agents', {});
  expect(agents.map(({ id }: { id: string }) => id)).toEqual(['ben', 'me']);
});

it('lines for a hub that runs already are printed with the refusal', async () => {
  const { env } = newUser();
  const { url } = await hintsOf([], env);
  const again = await runCli(['serve', '--hints', '--port', '0'], { env, cwd: tempFolder() });
  expect(again).toMatchObject({ exitCode: 3, stdout: '' });
  expect(again.stderr).toContain(`claude mcp add --transport http coterie "${url}/mcp?agent=YOUR-NAME"`);
  expect(again.stderr).toMatch(/\nDATA_IN_USE: .* runs already, .*\n.*\n$/);
});

it.skipIf(!hasShell)('the line for commands works in a clone', async () => {
  const { env } = newUser();
  const { url, lineOf } = await hintsOf([], env);
  const [, line = ''] = /elsewhere: (.*) …$/.exec(lineOf('Commands')) ?? [];
  const out = execFileSync('sh', ['-c', `${line} where --json`], {
    env: { ...process.env, ...env },
    cwd: tempFolder(),
  });
  expect(JSON.parse(out.toString()).url).toBe(url);
});

it.skipIf(!hasTerminal)('on a terminal, one line says where they are', async () => {
  const { env, own } = newUser();
  const serving = startOnTerminal(['serve', '--port', '0', '--data', own, '--log-level', 'error'], 120, env);
  await eventually('the hub is ready', () => /ready http[^]*hints/.test(serving.written()));
  const [ready = '', line = ''] = serving.screen();
  expect(line).toBe(`Connect agents: ${ready.replace('coterie ready ', '')}/ shows how, and so does --hints.`);
  serving.type('\u0003');
  expect(await serving.ended()).toBe(0);
});
