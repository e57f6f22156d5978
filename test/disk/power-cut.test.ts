// After a power cut what may have been handed out comes again, marked. A killed process loses no commit, so nothing is
// marked for it.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { tempFolder } from '../support/temp-folder.js';

const [firstStart, nextStart] = [1_000_000, 2_000_000];

/** What the disk holds while a hub runs, with one message that nobody has taken. */
async function filesOfRunningHub(): Promise<string> {
  const hub = await startHubInProcess({ boot: firstStart });
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
  await call(hub.url, 'send_message', { target: 'ben', content: 'one' }, { agent: 'ann' });
  const copy = join(tempFolder(), 'data');
  cpSync(hub.data, copy, { recursive: true });
  for (const file of ['hub.json', 'hub.lock', 'hub.claim']) rmSync(join(copy, file), { force: true });
  return copy;
}

async function marksAfter(data: string, boot: number): Promise<unknown[]> {
  const hub = await startHubInProcess({ data, boot });
  const { messages } = await call(hub.url, 'get_messages', {}, { agent: 'ben' });
  await hub.stop();
  return messages.map(({ redelivered }: { redelivered?: boolean }) => redelivered === true);
}

it('marks what was pending when the machine has started again since', async () => {
  expect(await marksAfter(await filesOfRunningHub(), nextStart)).toEqual([true]);
});

it('marks nothing after a process that was killed', async () => {
  expect(await marksAfter(await filesOfRunningHub(), firstStart)).toEqual([false]);
});

it('marks nothing after a hub that ended properly, nor what is sent later', async () => {
  const hub = await startHubInProcess({ boot: firstStart });
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
  await call(hub.url, 'send_message', { target: 'ben', content: 'one' }, { agent: 'ann' });
  await hub.stop();
  const cut = await filesOfRunningHub();
  const again = await startHubInProcess({ data: cut, boot: nextStart });
  await call(again.url, 'send_message', { target: 'ben', content: 'two' }, { agent: 'ann' });
  await again.stop();
  expect(await marksAfter(hub.data, nextStart)).toEqual([false]);
  expect(await marksAfter(cut, nextStart)).toEqual([true, false]);
});

/** As root the script installs it. */
const mayTrace = spawnSync('strace', ['-V']).status === 0 || process.getuid?.() === 0;
const script = fileURLToPath(new URL('../../scripts/power-cut.mjs', import.meta.url));

it.skipIf(!mayTrace)(
  'loses nothing and repeats nothing unmarked wherever the record of its writes is cut (needs strace)',
  { timeout: 120_000, tags: ['long'] },
  () => {
    const { stdout, status } = spawnSync(process.execPath, [script, '--cuts', '5', '--seconds', '2'], {
      encoding: 'utf8',
    });
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/^lost +0$/m) });
  },
);
