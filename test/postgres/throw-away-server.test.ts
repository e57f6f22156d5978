// The server of these tests is gone with the one who asked for it, in whatever way that one goes.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { tempFolder } from '../support/temp-folder.js';

const script = fileURLToPath(new URL('../../scripts/postgres.mjs', import.meta.url));
/** Dies without a word, with a server at its hand. */
const holder = `require('node:child_process').spawn(process.execPath, ['${script}'], { detached: true, stdio: ['pipe', 'inherit', 'inherit'] })`;

async function portIn(child: ChildProcess): Promise<number> {
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = await eventually('the server is ready', () => /^postgres ready (\S+)$/m.exec(said)?.[1]);
  return Number(new URL(url).port);
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

it.each([
  ['its stdin ends', ['run']],
  ['SIGTERM comes', ['run', 'SIGTERM']],
  ['SIGINT comes', ['run', 'SIGINT']],
  ['its user is killed', ['hold', 'SIGKILL']],
] as const)('it is gone when %s', async (_, [how, signal]) => {
  const folder = tempFolder();
  // As root the server runs as another user.
  chmodSync(folder, 0o755);
  const args = how === 'hold' ? ['-e', holder] : [script];
  const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR: folder } });
  const port = await portIn(child);
  expect(await answers(port)).toBe(true);
  if (signal === undefined) child.stdin.end();
  else child.kill(signal);
  await eventually('it answers no more', async () => !(await answers(port)));
  await eventually('its folder is gone', () => readdirSync(folder).length === 0);
});

it('one that cannot be found is asked for by name', async () => {
  const child = spawn(process.execPath, [script], { env: { ...process.env, COTERIE_TEST_POSTGRES_BIN: '/none' } });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [exitCode] = await once(child, 'close');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/COTERIE_TEST_POSTGRES_BIN is '\/none'/);
});
