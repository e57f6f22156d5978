// Starting and stopping: what is refused says which setting, what was given and what is allowed; what stops, stops well.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { cliPath, startHubProcess, tempFolder } from '../support/hub-process.js';
import { metric } from '../support/metrics.js';
import { useHubProcess } from '../support/use-hub.js';

const folder = tempFolder();
const hub = useHubProcess();

interface Finished {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command that is expected to end by itself; one that does not is killed and shows as exit code null. */
async function coterie(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const child = spawn(process.execPath, [cliPath, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  const finished: Finished = { exitCode: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (finished.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (finished.stderr += chunk.toString()));
  await once(child, 'close');
  finished.exitCode = child.exitCode;
  return finished;
}

function writeConfig(config: unknown): string {
  const path = join(folder, 'config.json');
  writeFileSync(path, typeof config === 'string' ? config : JSON.stringify(config));
  return path;
}

/** A refusal at start: code and message on the first line of stderr, the hint on the next, nothing on stdout. */
function expectRefused(finished: Finished, exitCode: number, code: string, says: RegExp): void {
  const [first = '', hint = '', ...more] = finished.stderr.trimEnd().split('\n');
  expect(finished).toMatchObject({ exitCode, stdout: '' });
  expect(first).toMatch(new RegExp(`^${code}: .+`));
  expect(hint).not.toBe('');
  expect(more).toEqual([]);
  expect(finished.stderr).toMatch(says);
}

describe('a setting', () => {
  it.each([
    ['an unknown flag', ['--prot', '5'], /--prot is not known[^]*--port/],
    ['an unknown flag unlike any', ['--qqqqqqqq', '5'], /--qqqqqqqq is not known[^]*--host, --port/],
    ['a port that is none', ['--port', '99999'], /--port was given '99999'[^]*0 to 65535/],
    ['a port that is text', ['--port=web'], /--port was given 'web'[^]*0 to 65535/],
    ['a flag without its value', ['--port'], /--port needs a value/],
    ['a short wait', ['--client-wait-ms', '5'], /--client-wait-ms was given '5'[^]*1000 to 600000/],
    ['too few days in all', ['--all-days', '0'], /--all-days was given '0'[^]*1 to 36500/],
    ['a bound that is none', ['--store-max-mb', 'lots'], /--store-max-mb was given 'lots'[^]*0 or 1 to/],
    ['a word too many', ['here'], /'here'/],
    ['a database of another kind', ['--database', 'mysql://hub@db/x'], /--database was given 'mysql:[^]*postgres:\/\//],
    ['a database that is no address', ['--database', 'team'], /--database was given 'team'[^]*postgres:\/\//],
    ['a database at no port', ['--database', 'postgres://db:five/x'], /--database was given 'postgres:\/\/db:five/],
  ])('with %s is refused', async (_, args, says) => {
    expectRefused(await coterie(['serve', ...args]), 2, 'USAGE', says);
  });

  it('in the environment is refused under its own name', async () => {
    const finished = await coterie(['serve'], { COTERIE_PORT: 'web' });
    expectRefused(finished, 2, 'USAGE', /COTERIE_PORT was given 'web'[^]*0 to 65535/);
  });

  it.each([
    ['--database', 'mysql://hub:s3cret@db/x'],
    ['--database', 'postgres://hub:s3cret@s3cret@db:five/x'],
    ['--database', 'postgres:/hub:s3cret@db/x'],
    ['--database', 'hub:s3 cret@db/x'],
    ['--database', 'host=db password=s3cret'],
    ['postgres://hub:s3cret@db/x'],
  ])('is shown without its password (%s %s)', async (...args) => {
    const finished = await coterie(['serve', ...args]);
    expectRefused(finished, 2, 'USAGE', /\*\*\*/);
    expect(finished.stderr).not.toMatch(/s3|cret/);
  });

  it('with a password in a config file that is no JSON is not quoted', async () => {
    const path = writeConfig('{"database":"postgres://hub:s3cret@db/x",}');
    const finished = await coterie(['serve', '--config', path]);
    expectRefused(finished, 2, 'USAGE', /--config[^]*config\.json/);
    expect(finished.stderr).not.toContain('cret');
  });

  it('of a database leaves bridges and coterie stop without a folder to find the hub by', async () => {
    const env = { COTERIE_DATABASE_URL: 'postgres://hub:s3cret@db/x' };
    const stop = await coterie(['stop', '--data', hub.data], env);
    expectRefused(stop, 2, 'USAGE', /--database[^]*SIGTERM/);
    expectRefused(await coterie(['mcp', '--data', hub.data], env), 2, 'USAGE', /--database[^]*--url/);
    await call(hub.url, 'list_agents', {});
    const empty = await coterie(['stop', '--data', join(folder, 'none')], { COTERIE_DATABASE_URL: '' });
    expect(empty).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('no hub runs') });
  });

  it('may not open the hub to the network while it has no keys', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'hub.example']) {
      const finished = await coterie(['serve', '--port', '0', '--host', host, '--data', join(folder, 'open')]);
      expectRefused(
        finished,
        2,
        'OPEN_MODE_BEYOND_LOOPBACK',
        new RegExp(`--host was given '${host}'[^]*127\\.0\\.0\\.1`),
      );
    }
    expect(existsSync(join(folder, 'open'))).toBe(false);
  });

  it.each([
    ['that is not there', undefined, /--config[^]*none\.json/],
    ['that is no JSON', '{"port":', /--config[^]*config\.json/],
    ['that is no object', [], /--config[^]*config\.json[^]*object/],
    ['with an unknown name', { prot: 1 }, /"prot" in [^]*mean "?-?-?port/],
    ['with a bad value', { port: 'web' }, /"port" in the config file was given 'web'[^]*0 to 65535/],
    ['with an unknown limit', { limits: { titelChars: 5 } }, /"titelChars"[^]*mean "?titleChars/],
    ['with a limit of nothing', { limits: { titleChars: 0 } }, /"titleChars" was given '0'[^]*above 0/],
    ['with a limit that has its own flag', { limits: { allDays: 5 } }, /"allDays" is not known/],
    ['with groups that are a list', { groups: [] }, /"groups" in the config file is not an object/],
    ['with a group that is no name', { groups: { 'a b': [] } }, /"groups\.a b" in the config file[^]*letter or digit/],
    ['with a group that is no list', { groups: { team: 'ann' } }, /"groups\.team" in the config file is not a list/],
    ['with a member that is no id', { groups: { team: ['ann', 'b c'] } }, /"groups\.team\[1\]"[^]*'b c'[^]*letter/],
    ['with a member that is no text', { groups: { team: [null] } }, /"groups\.team\[0\]"[^]*'null'/],
    [
      'with too many members',
      { limits: { groupMembers: 2 }, groups: { team: ['a', 'b', 'c'] } },
      /"groups\.team" in the config file has 3 members[^]*at most 2/,
    ],
    ['with limits that are a list', { limits: [] }, /"limits"[^]*object/],
  ])('in a config file %s is refused', async (_, config, says) => {
    const path = config === undefined ? join(folder, 'none.json') : writeConfig(config);
    // The folder is in use, so a config that should have been refused ends the command all the same.
    const finished = await coterie(['serve', '--data', hub.data, '--config', path]);
    expectRefused(finished, 2, 'USAGE', says);
  });

  it('of a flag wins over the environment, which wins over the file', async () => {
    const config = writeConfig({ 'client-wait-ms': 1000, data: join(folder, 'from-file'), limits: { titleChars: 5 } });
    const env = { COTERIE_CLIENT_WAIT_MS: '5', COTERIE_DATA: join(folder, 'from-environment') };
    // Each stands behind the next: the file's value is good, the environment's is not and is named, the flag's is good.
    expectRefused(
      await coterie(['serve', '--config', config], env),
      2,
      'USAGE',
      /COTERIE_CLIENT_WAIT_MS was given '5'/,
    );
    const flagged = await startHubProcess({ args: ['--config', config, '--client-wait-ms', '2000'], env });
    expect(existsSync(join(flagged.data, 'coterie.db'))).toBe(true);
    expect(existsSync(join(folder, 'from-file')) || existsSync(join(folder, 'from-environment'))).toBe(false);
    const { body } = await post(flagged.url, 'create_thread', { title: 'sixsix' }, { agent: 'ann' });
    expect(body.error.message).toContain('at most 5');
  });
});

describe('a data folder', () => {
  it('in use is refused with the pid and the address of its hub, which goes on', async () => {
    const finished = await coterie(['serve', '--port', '0', '--data', hub.data]);
    expectRefused(finished, 3, 'DATA_IN_USE', new RegExp(`pid ${hub.pid}.*${hub.url}[^]*coterie stop`));
    await call(hub.url, 'list_agents', {});
  });

  it.each(['a-file', 'a-file/below'])('that cannot be one (%s) is refused', async (path) => {
    writeFileSync(join(folder, 'a-file'), '');
    const finished = await coterie(['serve', '--port', '0', '--data', join(folder, path)]);
    expectRefused(finished, 3, 'DATA_NOT_WRITABLE', new RegExp(`${path}[^]*--data`));
  });

  it('written by a newer release is refused and left as it was', async () => {
    const data = tempFolder();
    await (await startHubProcess({ data })).stop();
    const file = join(data, 'coterie.db');
    const database = new DatabaseSync(file);
    database.exec('pragma user_version = 9999');
    database.close();
    const before = readFileSync(file);
    const finished = await coterie(['serve', '--port', '0', '--data', data]);
    expectRefused(finished, 3, 'DATABASE_NEWER', /9999[^]*newer release/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('written by a newer release that this one may follow is used as it is', async () => {
    const first = await startHubProcess();
    await call(first.url, 'register_agent', { agentId: 'ben' });
    await first.stop();
    const database = new DatabaseSync(join(first.data, 'coterie.db'));
    database.exec(`pragma user_version = 9999; insert into hub_schema values (9999, 'later', 1)`);
    database.close();
    const again = await startHubProcess({ data: first.data });
    expect((await call(again.url, 'list_agents', {})).agents).toMatchObject([{ id: 'ben' }]);
  });

  it('whose database is no database is refused and left as it was', async () => {
    const data = tempFolder();
    const file = join(data, 'coterie.db');
    writeFileSync(file, 'not a database, but someone’s only copy of something\n'.repeat(100));
    const before = readFileSync(file);
    expectRefused(await coterie(['serve', '--port', '0', '--data', data]), 3, 'DATA_NOT_WRITABLE', /coterie\.db/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('is free again at once after kill -9, and keeps what was acknowledged', async () => {
    const first = await startHubProcess();
    await call(first.url, 'register_agent', { agentId: 'ben' });
    await call(first.url, 'send_message', { target: 'ben', message: 'kept' }, { agent: 'ann' });
    await first.kill();
    const second = await startHubProcess({ data: first.data });
    const { messages } = await call(second.url, 'get_messages', {}, { agent: 'ben' });
    expect(messages).toMatchObject([{ content: [{ text: 'kept' }] }]);
  });
});

it('a port in use is refused with its number, and the data folder is given back', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const data = tempFolder();
  const finished = await coterie(['serve', '--port', String(port), '--data', data]);
  server.close();
  expectRefused(finished, 3, 'PORT_IN_USE', new RegExp(`Port ${port}[^]*--port`));
  expect(await (await startHubProcess({ data })).stop()).toBe(0);
});

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s answers a parked wait with what it has and exits 0',
    async (signal) => {
      const stopped = await startHubProcess();
      let stdout = '';
      stopped.child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      const waiting = post(stopped.url, 'wait_for_mentions', { timeoutMs: 600_000 }, { agent: 'ben' });
      await eventually('a wait is parked', async () => (await metric(stopped.url, 'coterie_waits_parked')) === 1);
      const started = performance.now();
      stopped.child.kill(signal);
      expect(await waiting).toMatchObject({ status: 200, body: { messages: [], timedOut: true } });
      await eventually('the hub has exited', () => stopped.child.exitCode !== null || undefined);
      expect(stopped.child.exitCode).toBe(0);
      expect(performance.now() - started).toBeLessThan(10_000);
      // The ready line was read by the helper; nothing may follow it.
      expect(stdout).toBe('');
    },
  );

  it('by SIGTERM sends its clients away: answers say that their connection closes', async () => {
    const stopped = await startHubProcess();
    const wait = { method: 'POST', headers: { 'coterie-agent': 'ben' }, body: JSON.stringify({ timeoutMs: 600_000 }) };
    const waiting = fetch(`${stopped.url}/v1/wait_for_mentions`, wait);
    await eventually('a wait is parked', async () => (await metric(stopped.url, 'coterie_waits_parked')) === 1);
    stopped.child.kill('SIGTERM');
    const answer = await waiting;
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await eventually('the hub has exited', () => stopped.child.exitCode !== null || undefined);
  });

  it('the ready line is the only thing on stdout, hints included', async () => {
    const data = tempFolder();
    const child = spawn(process.execPath, [cliPath, 'serve', '--port', '0', '--data', data, '--hints']);
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    await eventually('the hub is ready', () => stdout.includes('\n') || undefined);
    await call(stdout.trim().split(' ').at(-1) ?? '', 'list_agents', {}, { agent: 'ann' });
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(stdout).toMatch(/^coterie ready http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it('by coterie stop ends the hub and says so; without a hub it says that', async () => {
    const stopped = await startHubProcess();
    const first = await coterie(['stop', '--data', stopped.data]);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toBe(`stopped the hub of ${stopped.data}\n`);
    await eventually('the hub has exited', () => stopped.child.exitCode !== null || undefined);
    expect(stopped.child.exitCode).toBe(0);
    const second = await coterie(['stop', '--data', stopped.data]);
    expect(second).toMatchObject({ exitCode: 0, stdout: `no hub runs for ${stopped.data}\n` });
    rmSync(stopped.data, { recursive: true });
    expect((await coterie(['stop', '--data', stopped.data])).stdout).toContain('no hub runs');
    expect(existsSync(stopped.data)).toBe(false);
  });

  it('after kill -9, coterie stop does not signal whoever has the pid now', async () => {
    const killed = await startHubProcess();
    await killed.kill();
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    writeFileSync(join(killed.data, 'hub.json'), JSON.stringify({ pid: bystander.pid, url: killed.url }));
    expect((await coterie(['stop', '--data', killed.data])).stdout).toContain('no hub runs');
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    bystander.kill('SIGKILL');
  });
});

describe('the command line', () => {
  it.each(['--help', '-h', 'help', 'serve --help'])('prints its help for %s', async (args) => {
    const { exitCode, stdout, stderr } = await coterie(args.split(' '));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: coterie [^]*serve[^]*stop[^]*--port[^]*COTERIE_PORT[^]*--config/);
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await coterie(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('refuses an unknown command with the nearest', async () => {
    expectRefused(await coterie(['srve']), 2, 'USAGE', /'srve'[^]*'serve'/);
  });
});
