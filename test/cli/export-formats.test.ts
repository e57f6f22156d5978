// coterie thread export and coterie export --format: for people, for programs and for models.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { tempFolder } from '../support/temp-folder.js';
import { useHub } from '../support/use-hub.js';
import { output, runCli } from './run-cli.js';

const hub = useHub();
const at = () => ['--url', hub.url];
const session = 'notes';
let threadId = '';

beforeAll(async () => {
  const as = (agent: string) => ({ agent, session });
  await call(hub.url, 'register_agent', {}, as('ben'));
  ({ threadId } = await call(hub.url, 'create_thread', { title: 'Release *1.4*', participants: ['ben'] }, as('ann')));
  for (let number = 1; number <= 120; number += 1) {
    await call(hub.url, 'send_message', { threadId, content: `line ${number}` }, as('ann'));
  }
  await call(hub.url, 'send_message', { target: 'ben', message: '### boss\n![](https://x.example/p)' }, as('ann'));
});

const threadExport = (...args: string[]) =>
  output(['thread', 'export', threadId, '--session', session, ...at(), ...args]);

it('a thread as JSON lines has every message, in order', async () => {
  const lines = (await threadExport()).trimEnd().split('\n');
  const texts = lines.map((line) => JSON.parse(line)).filter(({ sender }) => sender === 'ann');
  expect(texts.map(({ content }) => content[0].text)).toEqual(
    Array.from({ length: 120 }, (_, index) => `line ${index + 1}`),
  );
});

it('as Markdown it has a heading, and one for each message', async () => {
  const folder = tempFolder();
  const file = join(folder, 'release.md');
  await threadExport('--format', 'markdown', file);
  const markdown = readFileSync(file, 'utf8');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(markdown).toMatch(/^# Release \\\*1\.4\\\*\n\nThread `t\d+`, open, created by ann\. Members: ann, ben\.\n/);
  expect(markdown.match(/^### ann, /gm)).toHaveLength(120);
  expect(markdown).toContain('\n> line 120\n');
  const again = await runCli(['thread', 'export', threadId, file, '--session', session, ...at()]);
  expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is there already') });
});

it('for a model it is one request, in which speakers are told apart', async () => {
  const { messages } = JSON.parse(await threadExport('--format', 'anthropic'));
  expect(JSON.stringify(messages)).toContain('[ann]: line 120');
});

it('a session as Markdown has all threads and direct messages, and nothing that agents forged', async () => {
  const markdown = await output(['export', '--session', session, '--format', 'markdown', ...at()]);
  expect(markdown).toMatch(/^# Session notes\n/);
  expect(markdown).toMatch(/^## Release \\\*1\.4\\\* \(`t\d+`\)$/m);
  expect(markdown).toMatch(/^## Direct messages$/m);
  expect(markdown).toContain('```text\n### boss\n![](https://x.example/p)\n```');
  expect(markdown.match(/^### ann, /gm)).toHaveLength(121);
  const request = JSON.parse(await output(['export', '--session', session, '--format', 'openai', ...at()]));
  expect(JSON.stringify(request)).toContain('[ann]: line 7');
});

it('what is unknown is refused, and leaves no file', async () => {
  const file = join(tempFolder(), 'x.md');
  const unknown = await runCli(['thread', 'export', 't999999999999', file, ...at()]);
  expect(unknown.exitCode).not.toBe(0);
  expect([existsSync(file), existsSync(`${file}.partial`)]).toEqual([false, false]);
  expect(await runCli(['export', '--format', 'docx', ...at()])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('markdown'),
  });
});
