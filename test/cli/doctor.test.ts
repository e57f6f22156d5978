// coterie doctor: on a healthy setup, and on each of the broken ones.
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { runCli } from './run-cli.js';
import { useHubProcess } from '../support/use-hub-process.js';

const hub = useHubProcess();
const folder = tempFolder();

describe('coterie doctor on a healthy setup', () => {
  it('finds all well, says what it measured, and leaves no one behind', async () => {
    const { exitCode, stdout, stderr } = await runCli(['doctor', '--data', hub.data]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^ok +node +Node \d+/);
    expect(stdout).toMatch(
      new RegExp(`ok +data +${hub.data} is writable, belongs to .*, used by the hub with pid ${hub.pid}\n`),
    );
    expect(stdout).toMatch(new RegExp(`ok +hub +${hub.url} answers, release \\d`));
    for (const name of ['trip', 'send', 'wake']) expect(stdout).toMatch(new RegExp(`ok +${name} .* \\d+\\.\\d ms\n`));
    expect(stdout).toMatch(/\nAll is well\.\n$/);
    const session = 'coterie-doctor';
    expect((await call(hub.url, 'list_agents', {}, { session })).agents).toEqual([]);
    expect((await call(hub.url, 'list_agents', {})).agents).toMatchObject([{ id: 'me' }]);
  });

  it('says the same as JSON, of a hub at an address', async () => {
    const { exitCode, stdout } = await runCli(['doctor', '--url', hub.url, '--json'], { cwd: folder });
    expect(exitCode).toBe(0);
    const { healthy, checks } = JSON.parse(stdout);
    expect(healthy).toBe(true);
    expect(checks.map(({ name }: { name: string }) => name)).toEqual(['node', 'hub', 'trip', 'send', 'wake']);
  });
});

describe('coterie doctor', () => {
  it('says how to start a hub when there is none', async () => {
    const data = join(folder, 'new');
    const { exitCode, stdout } = await runCli(['doctor', '--data', data, '--port', '0']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`ok +data +${data} will be created`));
    expect(stdout).toMatch(
      new RegExp(`wrong +hub +no hub runs for ${data}\n +Start one: coterie serve --data ${data}\n`),
    );
    expect(stdout).toMatch(/\n1 to fix\.\n$/);
  });

  it('finds a data folder that is none', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { exitCode, stdout } = await runCli(['doctor', '--data', join(file, 'data'), '--port', '0', '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).checks).toContainEqual({
      name: 'data',
      state: 'wrong',
      says: `${file} is not a folder`,
      fix: expect.stringContaining('--data DIR'),
    });
  });

  it('finds a port that another program has', async () => {
    const other = createServer((asked) => asked.on('error', () => {}).resume());
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const { port } = other.address() as AddressInfo;
    const { exitCode, stdout } = await runCli(['doctor', '--data', join(folder, 'new'), '--port', String(port)]);
    await new Promise((closed) => other.close(closed));
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`wrong +port +127\\.0\\.0\\.1:${port} is used by another program\n +.*--port 0`));
  });

  it('finds a port that a hub of another folder has', async () => {
    const { port } = new URL(hub.url);
    const { exitCode, stdout } = await runCli(['doctor', '--data', join(folder, 'new'), '--port', port]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`wrong +port +127\\.0\\.0\\.1:${port} is used by a Coterie hub.*\n +.*--port 0`));
  });

  it('finds an address where no hub is', async () => {
    const { exitCode, stdout } = await runCli(['doctor', '--url', 'http://127.0.0.1:9']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/wrong +hub +no hub answers at http:\/\/127\.0\.0\.1:9\n +Check the URL/);
  });

  it('names the database without its password, and asks the hub at the standard address', async () => {
    const env = { COTERIE_DATABASE_URL: 'postgres://hub:s3cret@db/team', COTERIE_PORT: '9' };
    const { exitCode, stdout } = await runCli(['doctor'], { cwd: folder, env });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/ok +data +kept in postgres:\/\/hub:\*\*\*@db\/team\n/);
    expect(stdout).toMatch(/wrong +hub +no hub answers at http:\/\/127\.0\.0\.1:9\n +Start one: coterie serve\n/);
  });

  it('finds a setting that a hub would refuse', async () => {
    const { exitCode, stdout } = await runCli(['doctor'], { cwd: folder, env: { COTERIE_PORT: 'web' } });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/wrong +settings +COTERIE_PORT was given 'web'\.\n +Allowed: 0 to 65535\.\n/);
  });

  it('finds a hub that takes no message', async () => {
    const full = await startHubProcess({ args: ['--store-max-mb', '1'] });
    await call(full.url, 'register_agent', {}, { agent: 'ben' });
    const fits = async (size: number) => {
      const input = { target: 'ben', message: 'x'.repeat(size) };
      return (await post(full.url, 'send_message', input, { agent: 'ann' })).status === 200;
    };
    // Ever smaller ones, until there is no room for the smallest.
    for (const size of [200_000, 20_000, 2_000, 200, 1]) while (await fits(size));
    const { exitCode, stdout } = await runCli(['doctor', '--data', full.data]);
    await full.stop();
    expect(stdout).toMatch(/wrong +send +a test message failed: .+\n +.+\n/);
    expect(exitCode).toBe(1);
  });
});
