// For whom the hooks of an agent without a name of its own act: for the name that the client's own bridge has, or for nobody.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { connectStdio } from '../bridge/stdio-clients.js';
import { cleanUpAfter } from '../support/clean-up.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { cliPath } from '../support/hub-process.js';
import { newUser } from '../support/new-user.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { cleanEnv, runCli, startCli } from './run-cli.js';

const hub = useHubProcess();
const user = newUser();
const silent = { exitCode: 0, stdout: '', stderr: '' };
let sessions = 0;

/** A session for each test: names belong to one. */
function newTeam() {
  const session = `team-${(sessions += 1)}`;
  const where = ['--url', hub.url, '--session', session];
  const stop = (cwd: string) =>
    JSON.stringify({ hook_event_name: 'Stop', stop_hook_active: false, session_id: randomUUID(), cwd });
  return {
    session,
    stop,
    where,
    bridge: (cwd: string) =>
      connectStdio('v1', [...where, '--agent', 'auto'], 'claude-code', { cwd, env: user.env }).then(async (client) => {
        await client.call('register_agent', {});
        return client;
      }),
    endTurn: (cwd: string, env: Record<string, string> = {}, name = ['--as', 'auto']) =>
      runCli(['inbox', '--hook', ...name, ...where], { env: { ...user.env, ...env }, cwd, stdin: stop(cwd) }),
    send: (target: string, content: string) =>
      call(hub.url, 'send_message', { target, content }, { agent: 'ada', session }),
    async unread(agent: string): Promise<number> {
      const peek = { sessionId: agent, markAsRead: false };
      return (await call(hub.url, 'get_messages', peek, { agent: 'ada', session })).messages.length;
    },
  };
}

it('a folder of the same name elsewhere gets its own mail, not that of the first one', async () => {
  const team = newTeam();
  const [x, y] = [user.project('x/app'), user.project('y/app')];
  await team.bridge(x);
  await team.bridge(y);
  await team.send('app-claude', 'Of x.');
  expect(await team.endTurn(y)).toEqual(silent);
  expect(await team.unread('app-claude')).toBe(1);
  await team.send('app-claude-2', 'Of y.');
  expect((await team.endTurn(y)).stdout).toMatch(/Of y\./);
  expect((await team.endTurn(x, {}, [])).stdout).toMatch(/Of x\./);
});

it('takes no mail where no bridge of the client runs, or nobody can tell which is meant', async () => {
  const team = newTeam();
  const cwd = user.project('alone');
  await call(hub.url, 'register_agent', {}, { agent: 'alone-claude', session: team.session });
  await team.send('alone-claude', 'For another.');
  expect(await team.endTurn(cwd)).toEqual(silent);
  // Two of one process, in one folder.
  const twice = user.project('twice');
  const first = await team.bridge(twice);
  await team.bridge(twice);
  await team.send('twice-claude', 'For one of them.');
  expect(await team.endTurn(twice)).toEqual(silent);
  await first.close();
  expect(await team.endTurn(twice)).toEqual(silent);
  expect(await team.unread('alone-claude')).toBe(1);
  expect(await team.unread('twice-claude')).toBe(1);
});

it('leaves the mail of the person at the terminal alone', async () => {
  const team = newTeam();
  const cwd = user.project('shop');
  await team.bridge(cwd);
  await call(hub.url, 'register_agent', {}, { agent: 'me', session: team.session });
  await team.send('me', 'For the person.');
  expect(await team.endTurn(cwd, { COTERIE_AGENT: 'me' })).toEqual(silent);
  expect(await team.unread('me')).toBe(1);
  await team.send('shop-claude', 'For the agent.');
  expect((await team.endTurn(cwd, { COTERIE_AGENT: 'me' })).stdout).toMatch(/For the agent\./);
  // A hook without a name is like an entry without one, which has it from there too.
  expect((await team.endTurn(cwd, { COTERIE_AGENT: 'me' }, [])).stdout).toMatch(/For the person\./);
});

/** A process with a bridge of its own, which runs a hook for each line and prints its output as JSON. */
const clientScript = `
const { spawn, spawnSync } = require('node:child_process');
const [main, where, stop] = JSON.parse(process.argv[1]);
const bridge = spawn(process.execPath, [main, 'mcp', '--agent', 'auto', ...where], { stdio: ['pipe', 'ignore', 'pipe'] });
const clientInfo = { name: 'claude-code', version: '1' };
const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
bridge.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }) + '\\n');
bridge.stderr.on('data', (text) => /this agent is/.test(text) && process.stdout.write(JSON.stringify(String(text)) + '\\n'));
process.stdin.on('data', () => {
  const line = [process.execPath, main, 'inbox', '--hook', '--as', 'auto', ...where].join(' ');
  const { stdout } = spawnSync('sh', ['-c', line + '; true'], { input: stop, encoding: 'utf8' });
  process.stdout.write(JSON.stringify(stdout) + '\\n');
});
process.stdin.on('end', () => { bridge.kill(); process.exit(); });
`;

it.skipIf(process.platform === 'win32')('two sessions in one folder have each its own mail', async () => {
  const team = newTeam();
  const cwd = user.project('pair');
  const start = async () => {
    const given = JSON.stringify([cliPath, team.where, team.stop(cwd)]);
    const child = spawn(process.execPath, ['-e', clientScript, given], {
      cwd,
      env: cleanEnv(user.env),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    cleanUpAfter(() => child.stdin.end());
    const lines = createInterface({ input: child.stdout });
    const next = async (): Promise<string> => JSON.parse(String((await once(lines, 'line'))[0]));
    const said = await next();
    return {
      name: /this agent is (\S+)/.exec(said)?.[1] ?? '',
      endTurn() {
        child.stdin.write('\n');
        return next();
      },
    };
  };
  const one = await start();
  const two = await start();
  expect([one.name, two.name]).toEqual(['pair-claude', 'pair-claude-2']);
  await eventually('both are known', async () => {
    const { agents } = await call(hub.url, 'list_agents', {}, { session: team.session });
    return agents.length >= 2;
  });
  await team.send('pair-claude', 'For one.');
  expect(await two.endTurn()).toBe('');
  await team.send('pair-claude-2', 'For two.');
  expect(await two.endTurn()).toMatch(/For two\./);
  expect(await one.endTurn()).toMatch(/For one\./);
  // A program beside them is neither.
  await team.send('pair-claude', 'Again.');
  expect(await team.endTurn(cwd)).toEqual(silent);
});

it('the waking hook waits until the bridge has its name', async () => {
  const team = newTeam();
  const [x, y] = [user.project('x/late'), user.project('y/late')];
  await team.bridge(x);
  const hook = startCli(['wake', 'hook', '--agent', 'auto', ...team.where], {
    env: { ...user.env, COTERIE_AGENT: 'me' },
    cwd: y,
    stdin: team.stop(y),
  });
  cleanUpAfter(() => hook.child.kill('SIGKILL'));
  await team.bridge(y);
  const routesOf = async (agent: string) =>
    (await call(hub.url, 'list_wakes', {}, { agent, session: team.session })).routes.length;
  await eventually('a route of the second', async () => (await routesOf('late-claude-2')) === 1);
  expect(await routesOf('late-claude')).toBe(0);
  expect(await hook.end('SIGTERM')).toEqual(silent);
});
