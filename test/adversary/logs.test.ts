// The log of a busy hub is bounded: calls beyond so many a second are counted, and hub.log is begun anew at its size.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { cliPath, startHubProcess } from '../support/hub-process.js';
import { movableClock } from '../support/movable-clock.js';
import { tempFolder } from '../support/temp-folder.js';

/** The last one may still be on its way. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { event: string });

const calls = 600;
/** On a few connections, one call after the other: a new connection for each would take far longer. */
async function makeCalls(url: string): Promise<void> {
  let made = 0;
  const connections = Array.from({ length: 8 }, async () => {
    while (made < calls) {
      made += 1;
      await (made % 3 === 0 ? post(url, 'no_such', {}) : call(url, 'list_agents', {}, { agent: 'ann' }));
    }
  });
  await Promise.all(connections);
}

it('counts the calls that it does not write, by operation and outcome', async () => {
  // All calls come within one second of the hub's clock, however slow the machine is.
  const hub = await startHubInProcess({ clock: { ...movableClock(), monotonic: () => 0 } });
  await makeCalls(hub.url);
  const writtenOf = (operation: string) =>
    hub.lines.filter((line) => line.event === 'operation' && line['operation'] === operation).length;
  const leftOutOf = (kind: string) => hub.lines.reduce((sum, line) => sum + Number(line[kind] ?? 0), 0);
  // Written or counted, no call is missing.
  await eventually('all calls are accounted for', () => {
    const unknown = writtenOf('no_such') + leftOutOf('no_such OPERATION_UNKNOWN');
    const known = writtenOf('list_agents') + leftOutOf('list_agents ok');
    return unknown === calls / 3 && known === (calls * 2) / 3;
  });
  expect(writtenOf('no_such') + writtenOf('list_agents')).toBe(100);
  expect(hub.logged).toContain('operations left out');
});

it('writes every call with --log-level debug', async () => {
  const hub = await startHubProcess({ args: ['--log-level', 'debug'] });
  await makeCalls(hub.url);
  await eventually('a line for each', () => {
    return linesOf(hub.stderr()).filter(({ event }) => event === 'operation').length === calls;
  });
});

it('begins hub.log anew at its size, and keeps three older files', async () => {
  const data = tempFolder();
  const path = join(data, 'hub.log');
  const full = 'x'.repeat(1024 * 1024 - 1);
  writeFileSync(path, `${full}\n`);
  for (const age of [1, 2, 3]) writeFileSync(`${path}.${age}`, `older ${age}`);
  const log = openSync(path, 'a');
  const args = ['serve', '--port', '0', '--data', data, '--log-max-mb', '1'];
  const child = spawn(process.execPath, [cliPath, ...args], { stdio: ['ignore', 'pipe', log] });
  closeSync(log);
  cleanUpAfter(() => child.kill('SIGKILL'));
  const lines = await eventually('the first line is in the new file', () => {
    const text = readFileSync(path, 'utf8');
    return text.startsWith('{') && text.includes('\n') ? linesOf(text) : undefined;
  });
  expect(lines[0]).toMatchObject({ event: 'ready' });
  expect(statSync(`${path}.1`).size).toBe(full.length + 1);
  expect([2, 3].map((age) => readFileSync(`${path}.${age}`, 'utf8'))).toEqual(['older 1', 'older 2']);
  expect(readdirSync(data).filter((name) => name.startsWith('hub.log'))).toHaveLength(4);
});
