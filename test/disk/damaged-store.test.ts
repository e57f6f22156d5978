// A damaged store says so and what to do, at start and while the hub runs; it is never begun anew beside what is left.
import { closeSync, openSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../dist/store/sqlite/writer/driver.js';
import { call, post } from '../support/http-call.js';
import { cliPath, startHubProcess, type HubProcess } from '../support/hub-process.js';

const send = (hub: HubProcess, message: string) =>
  post(hub.url, 'send_message', { target: 'ben', message }, { agent: 'ann' });

async function startTeam(): Promise<HubProcess> {
  const hub = await startHubProcess();
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
  expect((await send(hub, 'one')).status).toBe(200);
  return hub;
}

const fileOf = (data: string) => join(data, 'coterie.db');

/** A hub that starts though it must not would keep the test waiting: nothing else can end a synchronous call. */
const runMsMax = 50_000;

function run(...args: string[]): { exitCode: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliPath, ...args], {
    encoding: 'utf8',
    timeout: runMsMax,
  });
  return { exitCode: status, stdout, stderr };
}

/** The first page of the table, so that every use of it meets the damage. */
function damageTable(data: string, table: string): void {
  const database = openDatabase(fileOf(data), { readOnly: true });
  const row = database.prepare('select rootpage from sqlite_schema where name = ?').get(table) as { rootpage: number };
  database.close();
  const file = openSync(fileOf(data), 'r+');
  writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, (row.rootpage - 1) * 4096);
  closeSync(file);
}

function expectRefused(data: string, says: RegExp): void {
  const { exitCode, stderr } = run('serve', '--port', '0', '--data', data);
  expect(stderr).toMatch(/^STORE_DAMAGED: /);
  expect(stderr).toMatch(says);
  expect(stderr).toContain(`coterie doctor --data ${data}`);
  expect(stderr).not.toContain('DATA_NOT_WRITABLE');
  expect(exitCode).toBe(3);
  const examined = run('doctor', '--data', data, '--port', '0');
  expect(examined.stdout).toMatch(/wrong +store +the database in .* is damaged: /);
  expect(examined.exitCode).toBe(1);
}

describe('a damaged database', () => {
  it('is refused at start, with what to do; doctor finds it', async () => {
    const hub = await startTeam();
    await hub.stop();
    const { stdout } = run('doctor', '--data', hub.data, '--port', '0');
    expect(stdout).toMatch(/ok +store +the database is intact/);
    const whole = readFileSync(fileOf(hub.data));
    writeFileSync(fileOf(hub.data), Buffer.concat([Buffer.alloc(100, 0x20), whole.subarray(100)]));
    expectRefused(hub.data, /not a database/);
    writeFileSync(fileOf(hub.data), whole);
    // Read by every start; other tables may not be.
    damageTable(hub.data, 'hub_schema');
    expectRefused(hub.data, /malformed/);
  });

  it('met while the hub runs ends every write, and what is whole stays readable', async () => {
    const hub = await startTeam();
    await hub.stop();
    damageTable(hub.data, 'agent_group');
    const again = await startHubProcess({ data: hub.data });
    await call(again.url, 'list_agents', {}, { agent: 'ann' });
    const refusal = { status: 503, body: { error: { code: 'STORE_DAMAGED' } } };
    expect(await post(again.url, 'set_group', { name: 'g', members: ['ben'] }, { agent: 'ann' })).toMatchObject(
      refusal,
    );
    expect(await send(again, 'two')).toMatchObject(refusal);
    const ready = await fetch(`${again.url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { code: 'STORE_DAMAGED' }]);
    const { messages } = await call(again.url, 'get_messages', { markAsRead: false }, { agent: 'ben' });
    expect(messages).toHaveLength(1);
    expect(again.stderr()).toContain('store refuses writes');
  });
});

describe('a log without its database', () => {
  it('is not begun anew: a missing or empty file is refused, and what was acknowledged is there once it is back', async () => {
    const hub = await startTeam();
    await hub.kill();
    const whole = readFileSync(fileOf(hub.data));
    truncateSync(fileOf(hub.data));
    expectRefused(hub.data, /is empty, but its log .* has \d+ bytes/);
    rmSync(fileOf(hub.data));
    expectRefused(hub.data, /is missing, but its log .* has \d+ bytes/);
    writeFileSync(fileOf(hub.data), whole);
    const again = await startHubProcess({ data: hub.data });
    const { messages } = await call(again.url, 'get_messages', {}, { agent: 'ben' });
    expect(messages).toHaveLength(1);
  });
});

describe('files that vanish under a running hub', () => {
  it.each([
    ['the folder is deleted', (data: string) => rmSync(data, { recursive: true })],
    [
      'the database is replaced',
      (data: string) => {
        renameSync(fileOf(data), `${fileOf(data)}.old`);
        writeFileSync(fileOf(data), readFileSync(`${fileOf(data)}.old`));
      },
    ],
    ['the log is removed', (data: string) => rmSync(`${fileOf(data)}-wal`)],
  ])('%s: nothing more is acknowledged', async (_, vanish) => {
    const hub = await startTeam();
    vanish(hub.data);
    for (const message of ['two', 'three']) {
      expect(await send(hub, message)).toMatchObject({ status: 503, body: { error: { code: 'STORE_DAMAGED' } } });
    }
    expect((await fetch(`${hub.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
  });
});
