// coterie inbox --hook: mail at the end of a turn, in the form of each client, a few times in a row.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { runCli, startCli, type Ended } from './run-cli.js';

const hub = useHubProcess();
let agents = 0;

async function newAgent(): Promise<string> {
  agents += 1;
  const agent = `agent-${agents}`;
  await call(hub.url, 'register_agent', {}, { agent });
  return agent;
}

const send = (agent: string, content: string, more = {}) =>
  call(hub.url, 'send_message', { target: agent, content, ...more }, { agent: 'ada' });

const unread = async (agent: string) => {
  const { messages } = await call(hub.url, 'get_messages', { markAsRead: false }, { agent });
  return messages.length;
};

const stop = (fields: object) => ({ hook_event_name: 'Stop', stop_hook_active: false, cwd: '/', ...fields });

function endTurn(agent: string, input: unknown, more: string[] = []): Promise<Ended> {
  return runCli(['inbox', '--hook', '--as', agent, '--url', hub.url, ...more], { stdin: JSON.stringify(input) });
}

it('goes on with the turn of Claude Code and Codex, with the mail, which is read then', async () => {
  const agent = await newAgent();
  const { messageId } = await send(agent, 'The build is red.');
  const { exitCode, stdout, stderr } = await endTurn(agent, stop({ session_id: randomUUID() }));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { decision, reason } = JSON.parse(stdout);
  expect(decision).toBe('block');
  expect(reason).toMatch(/^Mail for you on Coterie[^]*<message [^]*The build is red\./);
  expect(reason).not.toMatch(/cursor/);
  const { deliveries } = await call(hub.url, 'get_receipts', { messageId }, { agent: 'ada' });
  expect(deliveries).toMatchObject([{ recipient: agent, state: 'read' }]);
});

it('speaks the forms of Cursor and Gemini CLI', async () => {
  const agent = await newAgent();
  await send(agent, 'One.');
  const cursor = { hook_event_name: 'stop', conversation_id: randomUUID(), status: 'completed', loop_count: 0 };
  expect(JSON.parse((await endTurn(agent, cursor)).stdout).followup_message).toMatch(/One\./);
  await send(agent, 'Two.');
  const gemini = { hook_event_name: 'AfterAgent', session_id: randomUUID(), stop_hook_active: false };
  expect(JSON.parse((await endTurn(agent, gemini)).stdout)).toMatchObject({ decision: 'block' });
});

it('stops after so many times in a row, and begins anew with a turn of the person', async () => {
  const agent = await newAgent();
  const session_id = randomUUID();
  const turn = async (isActive: boolean) => {
    await send(agent, 'Again.');
    const { stdout } = await endTurn(agent, stop({ session_id, stop_hook_active: isActive }), ['--times', '2']);
    return stdout !== '';
  };
  expect([await turn(false), await turn(true), await turn(true), await turn(true)]).toEqual([true, true, false, false]);
  expect(await unread(agent)).toBe(2);
  expect(await turn(false)).toBe(true);
  expect(await unread(agent)).toBe(0);
  const looped = { hook_event_name: 'stop', conversation_id: randomUUID(), status: 'completed', loop_count: 3 };
  await send(agent, 'Again.');
  expect((await endTurn(agent, looped)).stdout).toBe('');
});

it('is silent without mail that wakes, at any other event, and without a hub', async () => {
  const agent = await newAgent();
  const silent = { exitCode: 0, stdout: '', stderr: '' };
  expect(await endTurn(agent, stop({ session_id: 's' }))).toEqual(silent);
  await send(agent, 'For later.');
  for (const input of [
    stop({ hook_event_name: 'SubagentStop' }),
    { hook_event_name: 'stop', status: 'aborted' },
    5,
    null,
  ]) {
    expect(await endTurn(agent, input)).toEqual(silent);
  }
  const away = ['inbox', '--hook', '--as', agent, '--url', 'http://127.0.0.1:9'];
  expect(await runCli(away, { stdin: JSON.stringify(stop({})) })).toEqual(silent);
  expect(await unread(agent)).toBe(1);
});

it('never ends with 2, which would go on with the turn', async () => {
  const { exitCode, stderr } = await runCli(['inbox', '--hook', '--tims', '2'], { stdin: '{}' });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^USAGE: --tims is not a flag/);
});

it('hands over no more than a client takes; the rest stays unread', async () => {
  const agent = await newAgent();
  for (let number = 0; number < 6; number++) await send(agent, `Number ${number}. ${'Words of it. '.repeat(200)}`);
  const { stdout } = await endTurn(agent, stop({ session_id: randomUUID() }));
  expect(JSON.parse(stdout).reason.length).toBeLessThan(12_000);
  const left = await unread(agent);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(6);
});

it('gives the mail back if the client has gone', async () => {
  const agent = await newAgent();
  await send(agent, 'Do not lose this.');
  const running = startCli(['inbox', '--hook', '--as', agent, '--url', hub.url]);
  running.child.stdout.destroy();
  running.child.stdin.end(JSON.stringify(stop({ session_id: randomUUID() })));
  await running.end();
  expect(await unread(agent)).toBe(1);
});
