// coterie wake hook and lines: what Claude Code starts, and how they end.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { newAgent, ownState, promptWakes, startCompanion } from '../support/woken-agent.js';
import { eventually } from '../support/eventually.js';
import { cliPath, startHubProcess } from '../support/hub-process.js';
import { isRunning } from '../support/is-running.js';
import { tempFolder } from '../support/temp-folder.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { cleanEnv, output, runCli } from './run-cli.js';

const config = promptWakes();
const env = ownState();
const hub = useHubProcess({ args: ['--config', config] });

const hookInput = (session: string) =>
  JSON.stringify({ session_id: session, hook_event_name: 'Stop', stop_hook_active: false, cwd: '/' });

function startHook(agent: string, session: string = randomUUID(), where: string[] = ['--url', hub.url]) {
  return startCompanion(['hook', '--agent', agent, ...where], { env, stdin: hookInput(session) });
}

describe('coterie wake hook', () => {
  it('waits, then says how much is unread, and takes nothing', async () => {
    const ben = await newAgent(() => hub.url);
    const hook = startHook(ben.agent);
    await ben.hasRoute();
    const messageId = await ben.send();
    const { exitCode, stdout, stderr } = await hook.end();
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^1 unread from ada[^\n]*get_messages[^\n]*\n$/);
    expect(await ben.attempts()).toEqual(['claude-hook accepted']);
    expect(await ben.read()).toEqual([messageId]);
    expect(await ben.attempts()).toEqual(['claude-hook confirmed']);
  });

  it('gives way to a later hook of the same session, silently', async () => {
    const ben = await newAgent(() => hub.url);
    const session = randomUUID();
    const first = startHook(ben.agent, session);
    await ben.hasRoute();
    const second = startHook(ben.agent, session);
    expect(await first.end()).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    await ben.send();
    expect((await second.end()).exitCode).toBe(2);
    expect(await ben.attempts()).toEqual(['claude-hook accepted']);
  });

  it('removes its route when it is told to end', async () => {
    const ben = await newAgent(() => hub.url);
    const hook = startHook(ben.agent);
    await ben.hasRoute();
    expect(await hook.end('SIGTERM')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect((await ben.wakes()).routes).toEqual([]);
  });

  it('ends with its client, also if that one is killed and a shell is between them', async () => {
    const ben = await newAgent(() => hub.url);
    const line = `${process.execPath} ${cliPath} wake hook --agent ${ben.agent} --url ${hub.url}; true`;
    const script = `
      const child = require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(line)}], { stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.end(${JSON.stringify(hookInput('s'))});`;
    const client = spawn(process.execPath, ['-e', script], { env: cleanEnv(env), stdio: 'ignore' });
    cleanUpAfter(() => client.kill('SIGKILL'));
    await ben.hasRoute();
    client.kill('SIGKILL');
    await ben.hasNoRoute();
    expect((await ben.wakes()).routes).toEqual([]);
    await ben.send();
    expect(await ben.attempts()).toEqual([]);
    expect(await ben.unread()).toBe(1);
  });

  it('waits for a hub that is not there yet, and through its restarts', async () => {
    const data = tempFolder();
    const at = { url: '' };
    const ben = await (async () => {
      const first = await startHubProcess({ data, args: ['--config', config] });
      at.url = first.url;
      const made = await newAgent(() => at.url);
      await first.kill();
      return made;
    })();
    const hook = startHook(ben.agent, randomUUID(), ['--data', data]);
    const second = await startHubProcess({ data, args: ['--config', config] });
    at.url = second.url;
    await ben.hasRoute();
    await second.kill();
    at.url = (await startHubProcess({ data, args: ['--config', config] })).url;
    await ben.send();
    const { exitCode, stderr } = await hook.end();
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^1 unread from ada[^\n]*\n$/);
  });

  it('neither wakes nor ends while the switch is off', async () => {
    const ben = await newAgent(() => hub.url);
    const hook = startHook(ben.agent);
    await ben.hasRoute();
    await output(['wake', 'off', '--agent', ben.agent], { env });
    await ben.hasNoRoute();
    await ben.send();
    expect(await ben.attempts()).toEqual([]);
    expect(isRunning(hook.child.pid ?? 0)).toBe(true);
    await output(['wake', 'on', '--agent', ben.agent], { env });
    expect((await hook.end()).exitCode).toBe(2);
  });

  it('never ends with 2 for another reason', async () => {
    for (const args of [
      ['--agent', 'ben', '--confrm', '5s'],
      ['--agent', 'no name'],
      ['--agent', 'ben', '--position', 'x'],
    ]) {
      const { exitCode, stderr } = await runCli(['wake', 'hook', ...args], { env });
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^USAGE: /);
    }
  });
});

describe('coterie wake lines', () => {
  it('prints a line for each wake, and one for all that came meanwhile', async () => {
    const ben = await newAgent(() => hub.url);
    const lines = startCompanion(['lines', '--agent', ben.agent, '--url', hub.url], { env });
    await ben.hasRoute();
    await ben.send();
    await lines.shows(/^1 unread from ada.*$/m);
    for (let number = 0; number < 5; number++) await ben.send();
    await ben.read();
    await ben.send();
    await eventually('the second line', () => lines.stdout().split('\n').length === 3);
    expect(lines.stdout()).not.toMatch(/4711/);
    await ben.read();
    expect(await ben.attempts()).toEqual(['claude-monitor confirmed', 'claude-monitor confirmed']);
    const { exitCode } = await lines.end('SIGTERM');
    expect(exitCode).toBe(0);
    expect((await ben.wakes()).routes).toEqual([]);
  });

  it('says of a closed output that the wake failed, and ends', async () => {
    const ben = await newAgent(() => hub.url);
    const lines = startCompanion(['lines', '--agent', ben.agent, '--url', hub.url], { env });
    await ben.hasRoute();
    lines.child.stdout.destroy();
    await ben.send();
    await lines.end();
    const { wakes } = await ben.wakes();
    expect(wakes[0].attempts).toMatchObject([
      { state: 'failed', reason: expect.stringMatching(/output to the client/) },
    ]);
  });
});
