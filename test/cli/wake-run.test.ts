// coterie wake run: a command for each wake, one at a time, with limits, a switch, and no way to lose mail.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownState, promptWakes, startCompanion } from '../support/woken-agent.js';
import { eventually } from '../support/eventually.js';
import { headlessScene } from '../support/headless-scene.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { isRunning } from '../support/is-running.js';
import { makeKeysIn } from '../support/keys.js';
import { tempFolder } from '../support/temp-folder.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { json, output, runCli } from './run-cli.js';

const env = ownState();
const hub = useHubProcess({ args: ['--config', promptWakes()] });

const scene = () => headlessScene({ url: () => hub.url, flags: ['--url', hub.url], hub: hub.url, env });

const failedWith = (reason: RegExp) => ({ state: 'failed', reason: expect.stringMatching(reason) });

it('runs the command, which reads the mail: confirmed, without a shell and without content', async () => {
  const ben = await scene();
  ben.start('read', ['--client-session', 's-1'], ['--resume', '{session}', '{prompt}', '$(id)']);
  await ben.hasRoute();
  const messageId = await ben.send();
  await ben.happens('end');
  const [started] = ben.noted();
  expect(started?.rest).toEqual(['--resume', 's-1', expect.stringMatching(/^1 unread from ada/), '$(id)']);
  expect(JSON.stringify(ben.noted())).not.toMatch(/4711/);
  expect(ben.count(`read ${messageId}`)).toBe(1);
  expect(await ben.attempts()).toEqual(['command confirmed']);
});

it('is not confirmed by a client that only connects, but by its first tool call', async () => {
  const ben = await scene();
  const companion = ben.start('connect');
  await ben.hasRoute();
  await ben.send();
  await ben.happens('end');
  await eventually('its end', async () => (await ben.attempts())[0] === 'command unconfirmed');
  await companion.end('SIGTERM');
  ben.start('callTool');
  await ben.happens('end', 2);
  expect(await ben.attempts()).toEqual(['command unconfirmed', 'command confirmed']);
  expect(await ben.unread()).toBe(1);
});

it('says why a command failed, waits, and tries again', async () => {
  const ben = await scene();
  const companion = ben.start('fail');
  await ben.hasRoute();
  await ben.send();
  await companion.shows(/Not waking until .*the command failed/);
  expect((await ben.wakes()).wakes[0].attempts).toMatchObject([failedWith(/node ended with exit code 3$/)]);
  await eventually('its route is gone', async () => (await ben.wakes()).routes.length === 0);
  const status = await output(['wake', 'status', '--as', ben.agent, '--url', hub.url], { env });
  expect(status).toMatch(/command +failed .*exit code 3/);
  await ben.happens('start', 2);
  const [first, second] = ben.noted();
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(4_500);
  expect(await ben.unread()).toBe(1);
});

it('ends a command that takes too long and ignores SIGTERM', async () => {
  const ben = await scene();
  // Longer than a program needs until it ignores a signal, also on a busy machine; else it is ended at once, and tried again.
  ben.start('hang', ['--timeout', '3s']);
  await ben.hasRoute();
  await ben.send();
  await ben.happens('SIGTERM');
  const [{ pid } = { pid: 0 }] = ben.noted().filter(({ what }) => what === 'SIGTERM');
  await eventually('its end', () => !isRunning(pid));
  await eventually('the reason', async () => (await ben.wakes()).wakes[0]?.attempts[0]?.state === 'failed');
  expect((await ben.wakes()).wakes[0].attempts).toMatchObject([failedWith(/ran longer than .* and was ended/)]);
});

it('fails a wake for which the program or the session is missing', async () => {
  const ben = await scene();
  ben.start('read', [], ['{session}']);
  await ben.hasRoute();
  await ben.send();
  await eventually('the reason', async () => (await ben.attempts()).includes('command failed'));
  expect((await ben.wakes()).wakes[0].attempts).toMatchObject([failedWith(/no client session of the agent/)]);
  const ann = await scene();
  startCompanion(['run', '--agent', ann.agent, '--url', hub.url, '--', '/none/such', '{prompt}'], { env });
  await ann.hasRoute();
  await ann.send();
  await eventually('the reason', async () => (await ann.attempts()).includes('command failed'));
  expect((await ann.wakes()).wakes[0].attempts).toMatchObject([failedWith(/cannot be started: ENOENT/)]);
});

it('gives way to a later companion; the command runs once', async () => {
  const ben = await scene();
  const first = ben.start('read');
  await ben.hasRoute();
  const second = ben.start('read');
  const { exitCode, stderr } = await first.end();
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/Another companion has taken over/);
  await second.shows(/Waiting for mail/);
  await ben.send();
  await ben.happens('end');
  expect(await ben.unread()).toBe(0);
  expect(ben.count('start')).toBe(1);
});

it('waits for the command of a companion that was killed, and starts no second one beside it', async () => {
  const ben = await scene();
  const killed = ben.start('slow');
  await ben.hasRoute();
  await ben.send();
  await ben.happens('start');
  await killed.end('SIGKILL');
  const after = ben.start('slow');
  await ben.happens('end');
  await after.shows(/Waiting for mail/);
  await ben.send();
  await ben.happens('end', 2);
  const runs = ben.noted().filter(({ what }) => what === 'start' || what === 'end');
  expect(runs.map(({ what }) => what)).toEqual(['start', 'end', 'start', 'end']);
  expect(ben.count('read')).toBe(2);
  expect(await ben.unread()).toBe(0);
});

it('is switched off: ends the command that runs, takes no wake, and goes on when it is switched on', async () => {
  const ben = await scene();
  const companion = ben.start('idle');
  await ben.hasRoute();
  await ben.send();
  await ben.happens('start');
  const [{ pid } = { pid: 0 }] = ben.noted();
  await output(['wake', 'off', '--agent', ben.agent], { env });
  await eventually('its end', () => !isRunning(pid));
  await companion.shows(/Not waking: switched off/);
  await ben.hasNoRoute();
  expect((await ben.wakes()).wakes[0].attempts).toMatchObject([failedWith(/switched off on this machine/)]);
  const status = await json(['wake', 'status', '--as', ben.agent, '--url', hub.url], { env });
  expect(status.switches.agents).toContain(ben.agent);
  await output(['wake', 'on', '--agent', ben.agent], { env });
  await ben.hasRoute();
});

it('is switched off by the name of the agent, also if only its key names that', async () => {
  const folder = tempFolder();
  const keys = await makeKeysIn(folder, { ben: { agent: 'ben' }, ada: { agent: 'ada' } });
  const { url } = await startHubProcess({ data: folder, args: ['--config', promptWakes()] });
  const own = { ...ownState(), COTERIE_KEY: keys.ben.text };
  const isLive = async () => (await call(url, 'list_wakes', {}, { key: keys.ben.text })).routes.length > 0;
  const script = 'require("fs").writeFileSync(process.argv[1], process.argv[2]); setInterval(() => {}, 1000)';
  const file = join(folder, 'started');
  await output(['wake', 'off', '--agent', 'ben'], { env: own });
  const command = [process.execPath, '-e', script, file, '{agent}'];
  const companion = startCompanion(['run', '--url', url, '--', ...command], { env: own });
  await companion.shows(/Not waking: switched off for ben/);
  expect(await isLive()).toBe(false);
  await output(['wake', 'on', '--agent', 'ben'], { env: own });
  await eventually('its route', isLive);
  await call(url, 'send_message', { target: 'ben', content: 'x' }, { key: keys.ada.text });
  await eventually('the command', () => existsSync(file) && readFileSync(file, 'utf8') === 'ben');
  await output(['wake', 'off', '--agent', 'ben'], { env: own });
  await companion.shows(/was ended: switched off on this machine/);
});

it('takes no wake in quiet hours', async () => {
  const ben = await scene();
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const companion = ben.start('read', ['--quiet-hours', `${clock(-2)}-${clock(2)}`]);
  await companion.shows(/Not waking until .*quiet hours/);
  await ben.send();
  expect((await ben.wakes()).routes).toEqual([]);
  expect(ben.count('start')).toBe(0);
});

it('starts the command no more often than its budget says', async () => {
  const ben = await scene();
  const companion = ben.start('read', ['--per-hour', '2']);
  await ben.hasRoute();
  for (const times of [1, 2]) {
    await ben.send();
    await ben.happens('end', times);
  }
  await companion.shows(/Not waking until .*2 commands were started within an hour/);
  await ben.send();
  expect(await ben.unread()).toBe(1);
  expect(ben.count('start')).toBe(2);
});

it('runs few commands for many messages', { tags: ['long'] }, async () => {
  const ben = await scene();
  ben.start('held');
  await ben.hasRoute();
  await ben.send('x');
  await ben.happens('start');
  const more = 200;
  for (let number = 0; number < more; number += 20) await Promise.all(Array.from({ length: 20 }, () => ben.send('x')));
  ben.letGo();
  await ben.happens('read', 1 + more);
  // The one that ran, and at most one for what came meanwhile.
  expect(ben.count('start')).toBeLessThanOrEqual(2);
});

it('refuses a command line that cannot work, before it does anything', async () => {
  const refused = async (args: string[]) => (await runCli(['wake', 'run', '--agent', 'ben', ...args], { env })).stderr;
  expect(await refused([])).toMatch(/wake run needs a command/);
  expect(await refused(['--', 'sh', '-c', 'claude -p {prompt}'])).toMatch(/placeholder within an argument/);
  expect(await refused(['--quiet-hours', '25:00-07:00', '--', 'x'])).toMatch(/--quiet-hours was given '25:00-07:00'/);
  expect((await runCli(['wake', 'run', '--', 'x'], { env })).stderr).toMatch(/needs the name of the agent/);
  expect((await runCli(['wake', 'rum'], { env })).stderr).toMatch(/Did you mean coterie wake run\?/);
});
