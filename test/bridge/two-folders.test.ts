// Agents in different project folders, connected with the README's stdio line and nothing else, meet at the user's own hub.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { startHubProcess } from '../support/hub-process.js';
import { generations } from '../support/mcp-clients.js';
import { newUser } from '../support/new-user.js';
import { json, output, startCli } from '../cli/run-cli.js';
import { connectStdio } from './stdio-clients.js';

const line = (agent: string) => ['--agent', agent];

describe('two agents in two folders', () => {
  it.each(generations)('meet, and leave nothing in their folders (%s)', async (generation) => {
    const user = newUser();
    const [here, there] = [user.project('web'), user.project('api')];
    const ann = await connectStdio(generation, line('ann'), 'test', { cwd: here, env: user.env });
    const ben = await connectStdio(generation, line('ben'), 'test', { cwd: there, env: user.env });
    await ben.call('register_agent', {});
    const sent = await ann.call('send_message', { target: 'ben', message: 'do you see this?' });
    expect(sent.text).toMatch(/^Message sent successfully/);
    const read = await ben.call('get_messages', {});
    expect(read.text).toContain('do you see this?');
    expect([...readdirSync(here), ...readdirSync(there)]).toEqual([]);
    await Promise.all([ann.close(), ben.close()]);
  });

  it('that start at the same moment share one hub', async () => {
    const user = newUser();
    const names = ['ann', 'ben', 'cyn', 'dan'];
    const clients = await Promise.all(
      names.map((name) => connectStdio('v1', line(name), 'test', { cwd: user.project(name), env: user.env })),
    );
    await Promise.all(clients.map((client) => client.call('register_agent', {})));
    const listed = await clients[0]?.call('list_agents', {});
    for (const name of names) expect(listed?.text).toContain(name);
    // One of them started it; a hub that lost the race would have left its refusal in the log.
    expect(readFileSync(join(user.own, 'hub.log'), 'utf8').match(/coterie ready/g)).toHaveLength(1);
    await Promise.all(clients.map((client) => client.close()));
  });

  it('meet people at the command line, and a hub that was started by hand', async () => {
    const user = newUser();
    const serving = startCli(['serve', '--port', '0'], { env: user.env, cwd: user.project('coterie') });
    cleanUpAfter(() => serving.end('SIGKILL'));
    await serving.shows(/^coterie ready/m);
    const port = new URL(/ready (\S+)/.exec(serving.stdout())?.[1] ?? '').port;
    // The port of the hub that runs: the bridge must not try to start another there.
    const env = { ...user.env, COTERIE_PORT: port };
    const ann = await connectStdio('v2 2026', line('ann'), 'test', { cwd: user.project('web'), env });
    expect((await ann.call('register_agent', {})).text).toContain('Registered ann');
    const { agents } = await json(['agents'], { env: user.env, cwd: user.project('elsewhere') });
    expect(agents).toMatchObject([{ id: 'ann' }, { id: 'me' }]);
    await ann.close();
  });
});

describe('a bridge in a folder with a .coterie', () => {
  it('uses the project’s own hub, apart from the user’s', async () => {
    const user = newUser();
    const project = user.project('web');
    mkdirSync(join(project, '.coterie'), { mode: 0o700 });
    cleanUpAfter(() => output(['stop'], { env: user.env, cwd: project }));
    const ann = await connectStdio('v1', line('ann'), 'test', { cwd: project, env: user.env });
    await ann.call('register_agent', {});
    expect(await json(['where'], { env: user.env, cwd: project })).toMatchObject({ running: true });
    expect(await json(['where'], { env: user.env, cwd: user.project('api') })).toMatchObject({ running: false });
    await ann.close();
  });

  it('that came with a repository gives nobody its mail', async () => {
    const user = newUser();
    const project = user.project('cloned');
    const data = join(project, '.coterie');
    mkdirSync(data);
    const asked: string[] = [];
    const stranger = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening));
    cleanUpAfter(() => stranger.close());
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    writeFileSync(join(data, 'hub.json'), JSON.stringify({ pid: process.pid, url }));
    writeFileSync(join(data, 'hub.lock'), '');
    cleanUpAfter(() => output(['stop'], { env: user.env, cwd: project }));
    const ann = await connectStdio('v1', line('ann'), 'test', { cwd: project, env: user.env });
    await ann.call('register_agent', {});
    expect((await ann.call('send_message', { target: 'ann', message: 'secret' })).text).toContain('Message sent');
    expect(asked).toEqual([]);
    await ann.close();
  });

  it('whose log is a link is told so, and the link’s target stays as it is', async () => {
    const user = newUser();
    const project = user.project('cloned');
    mkdirSync(join(project, '.coterie'));
    const precious = join(project, 'precious');
    writeFileSync(precious, 'mine');
    symlinkSync(precious, join(project, '.coterie', 'hub.log'));
    const ann = await connectStdio('v1', line('ann'), 'test', { cwd: project, env: user.env });
    expect((await ann.call('register_agent', {})).text).toMatch(/^DATA_NOT_WRITABLE: .*hub\.log[^]*no link/);
    expect(readFileSync(precious, 'utf8')).toBe('mine');
    await ann.close();
  });
});

it('a typed --data wins over COTERIE_URL, for a bridge as for a command', async () => {
  const hub = await startHubProcess();
  const env = { COTERIE_URL: 'http://127.0.0.1:9' };
  const ann = await connectStdio('v1', ['--data', hub.data, '--agent', 'ann'], 'test', { env });
  expect((await ann.call('register_agent', {})).text).toContain('Registered ann');
  await ann.close();
});
