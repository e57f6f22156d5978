// Which hub a command uses: the one that is named, else the project's own, else the user's own; and whose word is taken for it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { userFolder } from '../../dist/config/which-folder.js';
import { cleanUpAfter } from '../support/clean-up.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { newUser as makeUser } from '../support/new-user.js';
import { tempFolder } from '../support/temp-folder.js';
import { json, output, runCli, startCli, type RunOptions } from './run-cli.js';

const hasUids = process.getuid !== undefined;

/** A user who stands in an empty project folder. */
function newUser() {
  const user = makeUser();
  return { ...user, cwd: user.project('project') };
}

/** A hub as `coterie serve` starts it in a folder, without a word about its data. */
async function serveIn(options: RunOptions): Promise<{ url: string; end(): Promise<unknown> }> {
  const serving = startCli(['serve', '--port', '0'], options);
  cleanUpAfter(() => serving.end('SIGKILL'));
  await serving.shows(/^coterie ready /m);
  return { url: /ready (\S+)/.exec(serving.stdout())?.[1] ?? '', end: () => serving.end('SIGTERM') };
}

describe('without a flag', () => {
  it('every folder leads to the user’s own hub, whose folder is the user’s alone', async () => {
    const { env, cwd, own } = newUser();
    const { url } = await serveIn({ env, cwd });
    const elsewhere = tempFolder();
    expect(await json(['where'], { env, cwd: elsewhere })).toEqual({
      running: true,
      url,
      pid: expect.any(Number),
      folder: own,
      why: expect.stringContaining('your own hub'),
    });
    await output(['call', 'register_agent', '--agent-id', 'ben'], { env, cwd: elsewhere });
    expect((await call(url, 'list_agents', {})).agents).toMatchObject([{ id: 'ben' }, { id: 'me' }]);
    if (hasUids) expect(statSync(own).mode & 0o777).toBe(0o700);
    expect(readdirSync(cwd)).toEqual([]);
    expect(await output(['stop'], { env, cwd: elsewhere })).toBe(`stopped the hub of ${own}\n`);
    expect(await output(['where'], { env, cwd })).toMatch(
      /^hub +none runs; start it: coterie serve\nfolder +~.*coterie\n/i,
    );
  });

  it('a folder with a .coterie has a hub of its own', async () => {
    const user = newUser();
    await serveIn(user);
    const data = join(user.cwd, '.coterie');
    mkdirSync(data, { mode: 0o700 });
    const gone = await runCli(['agents'], user);
    expect(gone).toMatchObject({ exitCode: 6, stderr: expect.stringContaining(`No hub runs for ${data}`) });
    const { url } = await serveIn(user);
    expect(await json(['where'], user)).toMatchObject({ running: true, url, folder: data });
    expect(await output(['doctor'], user)).toContain(url);
  });

  it('a program at the usual port is not asked', async () => {
    const user = newUser();
    const stranger = await startListener();
    const ended = await runCli(['agents'], { ...user, env: { ...user.env, COTERIE_PORT: stranger.port } });
    expect(ended).toMatchObject({ exitCode: 6, stderr: expect.stringContaining(`No hub runs for ${user.own}`) });
    expect(stranger.asked).toEqual([]);
  });

  it('a hub on a database is looked for at its usual address', async () => {
    const user = newUser();
    const { url } = await serveIn(user);
    const env = { ...user.env, COTERIE_DATABASE_URL: 'postgres://hub@db/team', COTERIE_PORT: new URL(url).port };
    expect(await json(['where'], { ...user, env })).toMatchObject({ running: true, url, folder: null });
    // A folder that was typed is meant all the same.
    expect(await json(['where', '--data', user.own], { ...user, env })).toMatchObject({ folder: user.own });
  });
});

describe('coterie where says what named the hub:', () => {
  const user = newUser();
  const config = join(user.cwd, 'hub.json');
  writeFileSync(config, JSON.stringify({ data: join(user.cwd, 'team') }));

  it.each([
    ['--url', ['--url', 'http://127.0.0.1:9/'], {}, { url: 'http://127.0.0.1:9', folder: null }],
    ['COTERIE_URL', [], { COTERIE_URL: 'http://127.0.0.1:9' }, { url: 'http://127.0.0.1:9' }],
    [
      '--data',
      ['--data', 'team'],
      { COTERIE_URL: 'http://127.0.0.1:9' },
      { folder: join(user.cwd, 'team'), url: null },
    ],
    ['COTERIE_DATA', [], { COTERIE_DATA: 'team' }, { folder: join(user.cwd, 'team') }],
    ['config file', [], { COTERIE_CONFIG: config }, { folder: join(user.cwd, 'team') }],
    ['config file', ['--config', config], { COTERIE_DATA: '' }, { folder: join(user.cwd, 'team') }],
  ])('%s (%j)', async (source, args, env, found) => {
    const shown = await json(['where', ...args], { ...user, env: { ...user.env, ...env } });
    expect(shown).toMatchObject({ running: false, why: expect.stringContaining(source), ...found });
  });

  it('the platform, for the user’s own', () => {
    const env = { HOME: '/home/ann', XDG_DATA_HOME: 'relative', LOCALAPPDATA: '/appdata' };
    expect(userFolder(env, 'linux')).toBe(join('/home/ann', '.local', 'share', 'coterie'));
    expect(userFolder({ ...env, XDG_DATA_HOME: '/data' }, 'linux')).toBe(join('/data', 'coterie'));
    expect(userFolder(env, 'darwin')).toBe(join('/home/ann', 'Library', 'Application Support', 'Coterie'));
    expect(userFolder(env, 'win32')).toBe(join('/appdata', 'Coterie'));
    expect(userFolder({ HOME: '' }, 'linux')).toContain(join('.local', 'share', 'coterie'));
  });
});

describe('a .coterie that came with a repository', () => {
  /** As after a clone: the user's own folder, with a note that leads to someone's listener. */
  async function cloneWith(prepare: (folder: string, user: ReturnType<typeof newUser>) => void) {
    const user = newUser();
    const stranger = await startListener();
    const folder = join(user.cwd, '.coterie');
    mkdirSync(folder, { mode: 0o755 });
    writeFileSync(join(folder, 'hub.json'), JSON.stringify({ pid: process.pid, url: stranger.url }));
    prepare(folder, user);
    return { user, stranger, folder };
  }

  const send = ['send', '--as', 'ann', '--to', 'ben', 'secret'];

  it.each<[string, (folder: string) => void]>([
    ['without a lock', () => {}],
    ['with a lock file that nobody holds', (folder) => writeFileSync(join(folder, 'hub.lock'), '')],
    ['with a lock file that has content', (folder) => writeFileSync(join(folder, 'hub.lock'), 'locked')],
    ['with a folder for a lock', (folder) => mkdirSync(join(folder, 'hub.lock'))],
  ])('%s gets no mail', async (_, prepare) => {
    const { user, stranger, folder } = await cloneWith(prepare);
    for (const args of [send, ['tail'], ['top', '--once'], ['agents']]) {
      const ended = await runCli(args, user);
      expect(ended).toMatchObject({ exitCode: 6, stderr: expect.stringContaining(`No hub runs for ${folder}`) });
    }
    expect(await output(['stop'], user)).toBe(`no hub runs for ${folder}\n`);
    expect(await json(['where'], user)).toMatchObject({ running: false, url: null });
    expect(stranger.asked).toEqual([]);
  });

  it('whose lock is a link to that of the user’s own hub gets no mail', async () => {
    const { user, stranger } = await cloneWith((folder, { own }) =>
      symlinkSync(join(own, 'hub.lock'), join(folder, 'hub.lock')),
    );
    await serveIn({ env: user.env, cwd: tempFolder() });
    expect(await runCli(send, user)).toMatchObject({ exitCode: 6 });
    expect(stranger.asked).toEqual([]);
  });

  it('is not believed while a hub starts in it, nor after', async () => {
    const { user, stranger } = await cloneWith(() => {});
    const answers: unknown[] = [];
    const over = new AbortController();
    const looking = (async () => {
      while (!over.signal.aborted) answers.push((await json(['where'], user)).url);
    })();
    const { url } = await serveIn(user);
    over.abort();
    await looking;
    answers.push((await json(['where'], user)).url);
    expect(answers.filter((answer) => answer !== null && answer !== url)).toEqual([]);
    expect(answers.at(-1)).toBe(url);
    expect(stranger.asked).toEqual([]);
  });

  it('is not written through its links by a hub that starts in it', async () => {
    const { user, folder } = await cloneWith(() => {});
    const precious = join(user.cwd, 'precious');
    writeFileSync(precious, 'mine');
    await runCli(['call', 'list_agents'], user);
    rmSync(join(folder, 'hub.json'));
    symlinkSync(precious, join(folder, 'hub.json'));
    const { url } = await serveIn(user);
    expect(await json(['where'], user)).toMatchObject({ url });
    expect(readFileSync(precious, 'utf8')).toBe('mine');
  });

  it('whose database is a link to that of the user’s own hub is not served', async () => {
    const { user } = await cloneWith((folder, { own }) =>
      symlinkSync(join(own, 'coterie.db'), join(folder, 'coterie.db')),
    );
    await serveIn({ env: user.env, cwd: tempFolder() });
    const second = await runCli(['serve', '--port', '0'], user);
    expect(second.stderr).toContain('DATA_NOT_WRITABLE');
    expect(second.stderr).toContain('coterie.db is a link');
  });

  it.skipIf(!hasUids)('and names a hub beyond loopback is not believed, even with a held lock', async () => {
    const { user, folder } = await cloneWith(() => {});
    await serveIn(user);
    for (const url of [
      'http://192.0.2.1:4100',
      'http://127.0.0.1@192.0.2.1:4100',
      'https://192.0.2.1:4100',
      'ws://127.0.0.1:1',
      'file:///x',
      'no',
    ]) {
      writeFileSync(join(folder, 'hub.json'), JSON.stringify({ pid: process.pid, url }));
      expect(await json(['where'], user), url).toMatchObject({ running: false, url: null });
    }
    writeFileSync(join(folder, 'hub.json'), ' '.repeat(100_000));
    expect(await json(['where'], user)).toMatchObject({ running: false });
  });
});

describe.skipIf(!hasUids)('a folder that is not the user’s alone', () => {
  it('is refused, with what to do, and is not used', async () => {
    const user = newUser();
    const data = join(user.cwd, '.coterie');
    mkdirSync(data);
    chmodSync(data, 0o775);
    for (const args of [['agents'], ['serve', '--port', '0'], ['mcp', '--agent', 'ann'], ['stop'], ['where']]) {
      const ended = await runCli(args, user);
      expect(ended, args[0]).toMatchObject({ exitCode: 3, stdout: '' });
      expect(ended.stderr).toMatch(/^DATA_NOT_YOURS: .*\.coterie can be written by other users, .*\n.*chmod go-w/);
    }
    const { stdout, exitCode } = await runCli(['doctor'], user);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/wrong .*can be written by other users[^]*chmod go-w/);
    expect(readdirSync(data)).toEqual([]);
  });

  it('has a hub that is found by its URL only', async () => {
    const hub = await startHubProcess();
    chmodSync(hub.data, 0o777);
    const ended = await runCli(['agents', '--data', hub.data]);
    expect(ended).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/^DATA_NOT_YOURS[^]*--url URL/) });
    expect(await output(['agents', '--url', hub.url])).toMatch(/^me +offline$/m);
  });

  it('because others can hold its lock is refused, too', async () => {
    const hub = await startHubProcess();
    chmodSync(join(hub.data, 'hub.lock'), 0o666);
    const ended = await runCli(['agents', '--data', hub.data]);
    expect(ended).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/^DATA_NOT_YOURS: .*hub\.lock can be/) });
  });

  it.skipIf(process.getuid?.() !== 0)('because it belongs to someone else, also through a link', async () => {
    const user = newUser();
    const theirs = tempFolder();
    chownSync(theirs, 12_345, 12_345);
    symlinkSync(theirs, join(user.cwd, '.coterie'));
    const ended = await runCli(['agents'], user);
    expect(ended).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('belongs to user 12345, not to you') });
  });
});

it('looking for a hub never keeps one from starting', async () => {
  const data = tempFolder();
  writeFileSync(join(data, 'hub.lock'), '');
  const prober = `const { isLocked } = await import(${JSON.stringify(new URL('../../dist/store/sqlite/writer/data-folder.js', import.meta.url).href)});
    console.log('looking'); for (;;) isLocked(${JSON.stringify(data)});`;
  const looking = spawn(process.execPath, ['--input-type=module', '-e', prober]);
  cleanUpAfter(() => looking.kill('SIGKILL'));
  await once(looking.stdout, 'data');
  for (let start = 0; start < 3; start++) {
    const hub = await startHubProcess({ data });
    expect((await json(['where', '--data', data])).url).toBe(hub.url);
    await hub.stop();
  }
});

/** Someone's program on this machine that would like the mail. */
async function startListener(): Promise<{ url: string; port: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  cleanUpAfter(() => server.close());
  const port = String((server.address() as AddressInfo).port);
  return { url: `http://127.0.0.1:${port}`, port, asked };
}
