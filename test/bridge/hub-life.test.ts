// The bridge and the life of its hub: found, started, shared, lost, found again.
import { execFile, spawn } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { endHubIn } from '../support/end-hub-in.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { cliPath, startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { parkedAt } from '../support/metrics.js';
import { startRawBridge } from './raw-bridge.js';
import { connectStdio } from './stdio-clients.js';
import { isRunning } from '../support/is-running.js';

const run = promisify(execFile);
const coterie = (...args: string[]) => run(process.execPath, [cliPath, ...args]);

const hubOf = (data: string): { pid: number; url: string } => JSON.parse(readFileSync(join(data, 'hub.json'), 'utf8'));

describe('a bridge without a hub', () => {
  it('starts one that outlives it, and that `coterie stop` ends', async () => {
    const data = join(tempFolder(), 'deeper', 'still');
    cleanUpAfter(() => endHubIn(data));
    const client = await connectStdio('v1', ['--data', data, '--agent', 'ben']);
    const registered = await client.call('register_agent', {});
    expect(registered.text).toBe('Registered ben (ben).');
    const hub = hubOf(data);
    await client.close();
    expect(isRunning(client.pid)).toBe(false);
    expect((await call(hub.url, 'list_agents', {})).agents).toMatchObject([{ id: 'ben' }, { id: 'me' }]);
    expect(readFileSync(join(data, 'hub.log'), 'utf8')).toContain(`coterie ready ${hub.url}`);
    const stopped = await coterie('stop', '--data', data);
    expect(stopped.stdout).toContain('stopped the hub');
    await eventually('the hub has ended', () => !isRunning(hub.pid));
  });

  it('takes another port when nobody chose the one in use', async () => {
    const blocker = createTcpServer();
    // Where something else has the port already, that will do as well.
    blocker.on('error', () => {});
    await new Promise<void>((resolve) => {
      blocker.once('error', () => resolve());
      blocker.listen(4100, '127.0.0.1', resolve);
    });
    const data = tempFolder();
    const bridge = await startRawBridge(['--data', data, '--agent', 'ben'], 'test', { COTERIE_PORT: '' });
    const got = await bridge.answer(bridge.callTool('list_agents', {}));
    expect(got.structuredContent.agents).toMatchObject([{ id: 'ben' }, { id: 'me' }]);
    expect(new URL(hubOf(data).url).port).not.toBe('4100');
    bridge.endInput();
    await bridge.exited;
    blocker.close();
  });

  it('tells the agent why none could be started', async () => {
    const blocker = createTcpServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const bridge = await startRawBridge(['--data', tempFolder(), '--agent', 'ben', '--port', String(port)]);
    const got = await bridge.answer(bridge.callTool('list_agents', {}));
    expect(got.isError).toBe(true);
    expect(got.content[0].text).toMatch(/^PORT_IN_USE: Port \d+ on 127\.0\.0\.1 is in use\.\nChoose another/);
    bridge.endInput();
    expect(await bridge.exited).toBe(0);
    blocker.close();
  });

  it.each([1, 2, 3])('shares one hub with bridges started at the same moment (%i)', async () => {
    const data = tempFolder();
    const names = ['ann', 'ben', 'cyn'];
    const bridges = await Promise.all(names.map((name) => startRawBridge(['--data', data, '--agent', name])));
    await Promise.all(bridges.map((bridge) => bridge.answer(bridge.callTool('register_agent', {}))));
    const [first] = bridges;
    const listed = await first?.answer(first.callTool('list_agents', {}));
    expect(listed.structuredContent.agents.map(({ id }: { id: string }) => id).toSorted()).toEqual([...names, 'me']);
    for (const bridge of bridges) bridge.endInput();
    await Promise.all(bridges.map(({ exited }) => exited));
  });
});

describe('a hub that goes away', () => {
  it('by kill during a wait is started again, and the wait goes on', async () => {
    const data = tempFolder();
    const bridge = await startRawBridge(['--data', data, '--agent', 'ben'], 'coterie-bridge');
    await bridge.answer(bridge.callTool('register_agent', {}));
    const first = hubOf(data);
    const waiting = bridge.callTool('wait_for_mentions', { timeoutMs: 60_000 });
    await parkedAt(first, 1);
    process.kill(first.pid, 'SIGKILL');
    const second = await eventually('another hub', () => {
      // A hub that starts removes the note of the last one.
      const now = existsSync(join(data, 'hub.json')) ? hubOf(data) : first;
      return now.pid !== first.pid && now;
    });
    await parkedAt(second, 1);
    await call(second.url, 'send_message', { target: 'ben', message: 'hello again' }, { agent: 'ann' });
    const got = await bridge.answer(waiting);
    expect(got.content[0].text).toContain('<content>hello again</content>');
    bridge.endInput();
    expect(await bridge.exited).toBe(0);
  });

  it('in good order, and comes back where it was, is found again', async () => {
    const hub = await startHubProcess();
    const bridge = await startRawBridge([...hub.flags, '--agent', 'ben'], 'coterie-bridge');
    await bridge.answer(bridge.callTool('register_agent', {}));
    const waiting = bridge.callTool('wait_for_mentions', { timeoutMs: 60_000 });
    await parkedAt(hub, 1);
    await hub.stop();
    const again = await startHubProcess({ data: hub.data });
    await parkedAt(again, 1);
    await call(again.url, 'send_message', { target: 'ben', message: 'hello' }, { agent: 'ann' });
    expect((await bridge.answer(waiting)).structuredContent.messages).toHaveLength(1);
    bridge.endInput();
    await bridge.exited;
  });

  it('in good order stays stopped while an agent waits, and its wait ends as it would have', async () => {
    const data = tempFolder();
    const bridge = await startRawBridge(['--data', data, '--agent', 'ben'], 'coterie-bridge');
    await bridge.answer(bridge.callTool('register_agent', {}));
    const hub = hubOf(data);
    // Longer than a bridge takes to start a hub.
    const waiting = bridge.callTool('wait_for_mentions', { timeoutMs: 6_000 });
    await parkedAt(hub, 1);
    await coterie('stop', '--data', data);
    const got = await bridge.answer(waiting);
    expect(got.structuredContent).toMatchObject({ timedOut: true, messages: [] });
    expect(got.structuredContent.waitedMs).toBeGreaterThanOrEqual(5_900);
    expect((await coterie('where', '--data', data, '--json')).stdout).toContain('"running":false');
    expect(readFileSync(join(data, 'hub.log'), 'utf8').match(/^coterie ready/gm)).toHaveLength(1);
    bridge.endInput();
    expect(await bridge.exited).toBe(0);
  });

  it('is started again for a call that finds nobody', async () => {
    const data = tempFolder();
    const bridge = await startRawBridge(['--data', data, '--agent', 'ben']);
    await bridge.answer(bridge.callTool('register_agent', {}));
    await coterie('stop', '--data', data);
    const joined = await bridge.answer(bridge.callTool('create_thread', { title: 'T', participants: ['ben'] }));
    expect(joined.isError, JSON.stringify(joined)).not.toBe(true);
    bridge.endInput();
    await bridge.exited;
  });
});

describe('a connection that breaks', () => {
  /** Stands before the hub and cuts the first answer to an operation after the hub has performed it. */
  async function startCutter(url: string, operation: string): Promise<{ server: Server; url: string }> {
    let isCut = false;
    const server = createServer((incoming, outgoing) => {
      const onward = request(`${url}${incoming.url}`, { method: 'POST', headers: incoming.headers }, (answer) => {
        if (!isCut && incoming.url === `/v1/${operation}`) {
          isCut = true;
          answer.resume().on('end', () => outgoing.destroy());
        } else {
          outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(outgoing);
        }
      });
      // The hub may be gone before it has answered what the bridge asked last.
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
  }

  it('after a send was stored still leaves one message and a plain confirmation', async () => {
    const hub = await startHubProcess();
    const cutter = await startCutter(hub.url, 'send_message');
    await call(hub.url, 'register_agent', { agentId: 'ben' });
    const bridge = await startRawBridge(['--url', cutter.url, '--agent', 'ann']);
    const sent = await bridge.answer(bridge.callTool('send_message', { target: 'ben', message: 'once' }));
    expect(sent.content[0].text).toMatch(/^Message sent successfully:/);
    expect(sent.structuredContent).toMatchObject({ success: true, seq: 1, duplicate: false });
    expect((await call(hub.url, 'get_messages', {}, { agent: 'ben' })).messages).toHaveLength(1);
    bridge.endInput();
    await bridge.exited;
    cutter.server.close();
  });

  it('during a change that must not be repeated is told as an unknown outcome', async () => {
    const hub = await startHubProcess();
    const cutter = await startCutter(hub.url, 'join_thread');
    await call(hub.url, 'register_agent', { agentId: 'ben' });
    const input = { title: 'T', participants: ['ben'] };
    const { threadId } = await call(hub.url, 'create_thread', input, { agent: 'ann' });
    const bridge = await startRawBridge(['--url', cutter.url, '--agent', 'cyn']);
    const joined = await bridge.answer(bridge.callTool('join_thread', { threadId }));
    expect(joined.isError).toBe(true);
    expect(joined.content[0].text).toMatch(/^HUB_UNREACHABLE: .*the outcome is unknown/);
    expect(joined._meta['coterie/error']).toMatchObject({ retry: 'later', details: { outcome: 'unknown' } });
    bridge.endInput();
    await bridge.exited;
    cutter.server.close();
  });

  it('for good is told with the key that makes another try safe', async () => {
    const dead = createTcpServer((socket) => socket.on('data', () => socket.destroy()));
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    const address = dead.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const bridge = await startRawBridge(['--url', `http://127.0.0.1:${port}`, '--agent', 'ann']);
    const input = { target: 'ben', message: 'hi', idempotency_key: 'key-1' };
    const sent = await bridge.answer(bridge.callTool('send_message', input));
    expect(sent.content[0].text).toMatch(/^HUB_UNREACHABLE: .*\n.*idempotency_key "key-1"/);
    bridge.endInput();
    await bridge.exited;
    dead.close();
  });
});

it.each([
  [['--agnt', 'ben'], '--agnt is not a flag', 'Did you mean --agent?'],
  [['--agent', 'no spaces'], "--agent was given 'no spaces'", 'Allowed: a letter or digit'],
  [['--tools', 'send_mesage'], "--tools was given 'send_mesage'", 'Did you mean send_message?'],
  [['--url', 'nowhere'], "--url was given 'nowhere'", 'Allowed: the http(s) URL'],
  [['--port', 'x'], "--port was given 'x'", 'Allowed: 0 to 65535'],
  [['ben'], "'ben' is not expected here", 'Options are written --name value'],
])('refuses %j on stderr with exit code 2', async (args, said, hint) => {
  const child = spawn(process.execPath, [cliPath, 'mcp', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exitCode = await new Promise((resolve) => child.once('close', resolve));
  expect(exitCode).toBe(2);
  expect(errors).toContain(`USAGE: ${said}`);
  expect(errors).toContain(hint);
  expect(out).toBe('');
});
