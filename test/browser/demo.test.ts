// coterie demo --web: the team talks while you watch, asks you something, and leaves nothing behind.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCli, startCli } from '../cli/run-cli.js';
import { startBrowser } from '../support/browser.js';
import { call } from '../support/http-call.js';
import { tempFolder } from '../support/temp-folder.js';

it('asks you in the browser, goes on with your answer, and ends with Ctrl-C', async () => {
  const folder = tempFolder();
  const inFolder = { cwd: folder, env: { TMPDIR: folder, TEMP: folder, TMP: folder } };
  const demo = startCli(['demo', '--web', '--pace', '100ms'], inFolder);
  await demo.shows(/Watch it, and answer its question: http:\/\/127\.0\.0\.1:\d+\/\n/);
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+(?=\/)/.exec(demo.stdout()) ?? [];
  const browser = await startBrowser({ url });
  const page = await browser.open('/');
  await page
    .getByRole('article')
    .filter({ hasText: 'Publish 1.4 now?' })
    .getByRole('button', { name: 'Wait until Monday' })
    .click();
  await demo.shows(/The answer: Wait until Monday\nThe story is told\./);
  const { threads } = await call(url, 'list_threads', {});
  expect(threads.map(({ title, status }: { title: string; status: string }) => [title, status])).toEqual([
    ['Nightly build is red', 'closed'],
    ['Release 1.4', 'closed'],
  ]);
  expect(browser.faults).toEqual([]);
  expect(await demo.end('SIGINT')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(readdirSync(folder)).toEqual([]);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

it('has a hub of its own', async () => {
  expect(await runCli(['demo', '--web', '--url', 'http://127.0.0.1:1'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('hub of its own'),
  });
});
