// `coterie mcp --agent auto`: a name of the folder and the client, one for each program, the same after a restart.
import { expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.js';
import { cleanUpAfter } from '../support/clean-up.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { generations } from '../support/mcp-clients.js';
import { newUser } from '../support/new-user.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { startRawBridge } from './raw-bridge.js';
import { connectStdio, type StdioClient } from './stdio-clients.js';

const hub = useHubProcess();
const user = newUser();
let sessions = 0;

/** A session for each test: names belong to one. */
function newTeam() {
  const session = `team-${(sessions += 1)}`;
  return {
    session,
    start: (project: string, clientName: string, generation: (typeof generations)[number] = 'v1') =>
      connectStdio(generation, [...hub.flags, '--session', session, '--agent', 'auto'], clientName, {
        cwd: user.project(project),
        env: user.env,
      }),
  };
}

async function nameOf(client: StdioClient): Promise<string> {
  const { structured, text } = await client.call('register_agent', {});
  return structured?.agent?.id ?? /Registered (\S+)/.exec(text)?.[1];
}

it.each(generations)('names an agent by its folder and client (%s)', async (generation) => {
  const team = newTeam();
  const claude = await team.start('My Shop (2)', 'claude-code', generation);
  const codex = await team.start('My Shop (2)', 'codex-mcp-client', generation);
  expect(await nameOf(claude)).toBe('my-shop-2-claude');
  expect(await nameOf(codex)).toBe('my-shop-2-codex');
  await Promise.all([claude.close(), codex.close()]);
});

it.each([
  ['.config', 'Visual Studio Code', 'config-visual'],
  ['проект', '', 'project-agent'],
  ['x'.repeat(100), 'y'.repeat(100), `${'x'.repeat(40)}-${'y'.repeat(16)}`],
])('makes a name of any folder and client (%s, %s)', async (project, clientName, name) => {
  const client = await newTeam().start(project, clientName);
  expect(await nameOf(client)).toBe(name);
  await client.close();
});

it('gives programs that start together in one folder a name each, and each its mail', async () => {
  const { session, start } = newTeam();
  const clients = await Promise.all([1, 2, 3].map(() => start('shop', 'claude-code')));
  const names = await Promise.all(clients.map(nameOf));
  expect(names.toSorted()).toEqual(['shop-claude', 'shop-claude-2', 'shop-claude-3']);
  await call(hub.url, 'send_message', { target: 'shop-claude-2', message: 'for two' }, { agent: 'ann', session });
  const read = await Promise.all(clients.map((client) => client.call('get_messages', {})));
  const readers = names.filter((_, index) => read[index]?.text.includes('for two'));
  expect(readers).toEqual(['shop-claude-2']);
  await Promise.all(clients.map((client) => client.close()));
});

it('gives a program its name and its mail back after a restart, also after kill -9', async () => {
  const { session, start } = newTeam();
  const first = await start('shop', 'claude-code');
  expect(await nameOf(first)).toBe('shop-claude');
  process.kill(first.pid, 'SIGKILL');
  await call(hub.url, 'send_message', { target: 'shop-claude', message: 'while away' }, { agent: 'ann', session });
  const second = await start('shop', 'claude-code');
  expect((await second.call('get_messages', {})).text).toContain('while away');
  expect(await nameOf(second)).toBe('shop-claude');
  await second.close();
});

it('keeps a name for its folder: another of the same name gets another', async () => {
  const { start } = newTeam();
  const first = await start('a/shop', 'claude-code');
  expect(await nameOf(first)).toBe('shop-claude');
  await first.close();
  const other = await start('b/shop', 'claude-code');
  expect(await nameOf(other)).toBe('shop-claude-2');
  await other.close();
  const again = await start('a/shop', 'claude-code');
  expect(await nameOf(again)).toBe('shop-claude');
  await again.close();
});

it('does not take the name of an agent that registered otherwise', async () => {
  const { session, start } = newTeam();
  await call(hub.url, 'register_agent', {}, { agent: 'shop-claude', session });
  const client = await start('shop', 'claude-code');
  expect(await nameOf(client)).toBe('shop-claude-2');
  await client.close();
});

it('is asked for with COTERIE_AGENT too, which names no person at the terminal', async () => {
  const env = { ...user.env, COTERIE_AGENT: 'auto' };
  const client = await connectStdio('v1', [...hub.flags, '--session', 'by-env'], 'opencode', {
    cwd: user.project('shop'),
    env,
  });
  expect(await nameOf(client)).toBe('shop-opencode');
  await client.close();
  const person = await runCli(['inbox', ...hub.flags], { env });
  expect(person).toMatchObject({ exitCode: 4, stderr: expect.stringMatching(/^IDENTITY_REQUIRED.*\n.*--as NAME/) });
});

it('says when all its names are taken, and chooses again when the hub is back', async () => {
  const session = 'full';
  const names = Array.from({ length: 99 }, (_, index) => (index === 0 ? 'full-test' : `full-test-${index + 1}`));
  for (const agent of names) await call(hub.url, 'register_agent', {}, { agent, session });
  const client = await connectStdio('v1', [...hub.flags, '--session', session, '--agent', 'auto'], 'test', {
    cwd: user.project('full'),
    env: user.env,
  });
  cleanUpAfter(() => client.close());
  expect((await client.call('list_agents', {})).text).toMatch(/^LIMIT_REACHED: All 99 names[^]*--agent NAME/);
  await call(hub.url, 'remove_agent', {}, { agent: 'full-test-7', session });
  expect(await nameOf(client)).toBe('full-test-7');
});

it('says on stderr which name was chosen', async () => {
  const bridge = await startRawBridge([...hub.flags, '--session', 'told', '--agent', 'auto'], 'gemini-cli-mcp-client');
  const got = await bridge.answer(bridge.callTool('register_agent', {}));
  const [, name = ''] = /Registered (\S+)/.exec(got.content[0].text) ?? [];
  expect(name).toMatch(/-gemini$/);
  expect(bridge.stderr()).toContain(`this agent is ${name}\n`);
  bridge.endInput();
  await bridge.exited;
});

it('does not take at one hub the name that its folder has at another', async () => {
  const elsewhere = await startHubProcess();
  const startAt = (url: string) =>
    connectStdio('v1', ['--url', url, '--agent', 'auto'], 'claude-code', { cwd: user.project('stall'), env: user.env });
  const first = await startAt(hub.url);
  expect(await nameOf(first)).toBe('stall-claude');
  await first.close();
  await call(elsewhere.url, 'register_agent', {}, { agent: 'stall-claude' });
  const second = await startAt(elsewhere.url);
  expect(await nameOf(second)).toBe('stall-claude-2');
  await second.close();
});
