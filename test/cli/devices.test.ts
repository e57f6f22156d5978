// coterie pair and coterie devices, with a device that does what the hub's page does.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPairingLink } from '../../dist/contract/signal/device.js';
import { eventually } from '../support/eventually.js';
import { databaseEnv, databaseOf } from '../support/test-database.js';
import { tempFolder } from '../support/temp-folder.js';
import { newLinkSecret, TestDevice } from '../support/test-device.js';
import { useHub } from '../support/use-hub.js';
import { runCli, startCli, type Running } from './run-cli.js';

const hub = useHub({ args: ['--person', 'ann'] });

async function place(): Promise<{ args: string[]; env: NodeJS.ProcessEnv; pins: string }> {
  const home = tempFolder();
  const database = databaseEnv(await databaseOf(hub.data));
  return {
    args: ['--data', hub.data],
    env: { ...database, HOME: home, XDG_DATA_HOME: home },
    pins: join(home, 'coterie', 'pins.json'),
  };
}

async function linkShown(running: Running): Promise<{ pairingId: string; secret: string; hubKid: string }> {
  await running.shows(/\/app\/pair#\S+\n/);
  const [link = ''] = /http\S+\/app\/pair#\S+/.exec(running.stdout()) ?? [];
  expect(link.startsWith(`${hub.url}/`)).toBe(true);
  return readPairingLink(link) ?? expect.unreachable(link);
}

describe('coterie pair', () => {
  it('pairs by the link, verifies the device by its MAC, and pins its keys', async () => {
    const { args, env, pins } = await place();
    const running = startCli(['pair', ...args], { env });
    const link = await linkShown(running);
    const phone = await TestDevice.make('Ann’s phone');
    expect(await phone.pairByLink(hub.url, { ...link, person: 'ann' })).toMatchObject({ status: 200 });
    const { exitCode, stdout, stderr } = await running.end();
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('this machine only') });
    expect(stdout).toContain(`Paired and verified 'Ann’s phone' (${phone.id}) of ann.`);
    expect(stdout).toMatch(/█▀▀▀▀▀█|▄▄▄▄▄▄▄|█ ▄▄▄▄▄ █/);
    expect(stdout).toMatch(/Or type [0-9A-Z]{4}-[0-9A-Z]{4} in the app/);
    const { hubs } = JSON.parse(readFileSync(pins, 'utf8'));
    expect(hubs[link.hubKid].devices[phone.keys.public.kid]).toMatchObject({ person: 'ann', session: 'default' });
    expect(statSync(pins).mode & 0o077).toBe(0);
    const { devices } = JSON.parse((await runCli(['devices', 'list', '--json', ...args], { env })).stdout);
    expect(devices).toContainEqual(expect.objectContaining({ id: phone.id, verified: true }));
  });

  it('does not verify, nor pin, a device whose keys were changed on the way', async () => {
    const { args, env, pins } = await place();
    const running = startCli(['pair', ...args], { env });
    const link = await linkShown(running);
    const phone = await TestDevice.make('Changed');
    const { secret: macSecret } = await newLinkSecret();
    await phone.pairByLink(hub.url, { ...link, person: 'ann', macSecret });
    const { exitCode, stderr, stdout } = await running.end();
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(/not verified[^]*coterie devices revoke d-/);
    expect(stdout).not.toContain('Paired and verified');
    expect(existsSync(pins)).toBe(false);
    expect((await phone.call(hub.url, 'list_devices')).devices).toContainEqual(
      expect.objectContaining({ id: phone.id, verified: false }),
    );
  });

  it('by the code leaves the device to be verified by its safety number', async () => {
    const { args, env, pins } = await place();
    const running = startCli(['pair', '--json', ...args], { env });
    await running.shows(/"code":"/);
    const { code } = JSON.parse(running.stdout().split('\n')[0] ?? '');
    const phone = await TestDevice.make('By code');
    await phone.pairByCode(hub.url, code);
    expect(await running.end()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('devices verify') });
    const alone = await runCli(['devices', 'verify', phone.id, ...args], { env, stdin: '' });
    expect(alone).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/(\d{5} ){5}\d{5}[^]*--yes/) });
    const said = await runCli(['devices', 'verify', phone.id, '--yes', ...args], { env });
    expect(said).toMatchObject({ exitCode: 0, stdout: `Verified 'By code' (${phone.id}) of ann.\n` });
    expect(readFileSync(pins, 'utf8')).toContain(phone.keys.public.kid);
    const renamed = await runCli(['devices', 'rename', phone.id, 'Tablet', ...args], { env });
    expect(renamed.stdout).toBe(`Renamed 'Tablet' (${phone.id}) of ann.\n`);
    const revoked = await runCli(['devices', 'revoke', phone.id, ...args], { env });
    expect(revoked.stdout).toBe(`Revoked 'Tablet' (${phone.id}) of ann.\n`);
    expect(readFileSync(pins, 'utf8')).not.toContain(phone.keys.public.kid);
    const again = await runCli(['devices', 'revoke', phone.id, ...args], { env });
    expect(again).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('DEVICE_UNKNOWN') });
  });
});

describe('with keys', () => {
  it('people are invited by a link, and the operator pairs without a key', async () => {
    const { args, env } = await place();
    const added = await runCli(['people', 'add', 'bea', ...args], { env });
    const link = readPairingLink(added.stdout.trim()) ?? expect.unreachable(added.stderr);
    const first = await TestDevice.make('First');
    expect(await first.pairByLink(hub.url, { ...link, person: 'bea' })).toMatchObject({ body: { verified: false } });

    await runCli(['keys', 'create', '--agent', 'ci', ...args], { env });
    await eventually('the hub asks for keys', async () => (await fetch(`${hub.url}/v1/events`)).status === 401);
    const running = startCli(['pair', '--person', 'bea', ...args], { env });
    const second = await TestDevice.make('Second');
    await second.pairByLink(hub.url, { ...(await linkShown(running)), person: 'bea' });
    const { exitCode, stdout } = await running.end();
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Paired and verified') });
    expect(stdout).not.toContain('Or type');
    const listed = await runCli(['devices', '--person', 'bea', ...args], { env });
    expect(listed.stdout).toMatch(/First +no .*\n.*Second +yes /);
  });
});
