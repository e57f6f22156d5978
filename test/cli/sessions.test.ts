// coterie sessions and coterie redact.
import { expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { json, output, runCli } from './run-cli.js';

const hub = useHub();
const refused = async (...args: string[]) => {
  const { exitCode, stderr } = await runCli([...args, '--data', hub.data]);
  return { exitCode, stderr };
};

it('creates, lists and closes sessions', async () => {
  const at = ['--data', hub.data];
  const made = await output(['sessions', 'create', 'notes-1', '--application', 'notes', '--ttl', '2h', ...at]);
  expect(made).toBe('Created notes-1\n');
  const [heading = '', own = '', row = ''] = (await output(['sessions', ...at])).split('\n');
  expect(heading).toMatch(/^SESSION +STATUS +CREATED +AGENTS +THREADS +LAST +APPLICATION$/);
  expect(own).toMatch(/^default +open/);
  expect(row).toMatch(/^notes-1 +open +\d\d:\d\d:\d\d +0 +0 +0 +notes$/);
  const closed = await output(['sessions', 'close', 'notes-1', '--reason', 'Out.', ...at]);
  expect(closed).toBe('Closed notes-1 and 0 open threads\n');
  expect(await output(['sessions', 'close', 'notes-1', ...at])).toBe('notes-1 was closed already\n');
  const { sessions } = await json(['sessions', 'list', ...at]);
  expect(sessions).toContainEqual(
    expect.objectContaining({ sessionId: 'notes-1', status: 'closed', closeReason: 'Out.' }),
  );
});

it('redacts a message', async () => {
  const by = { agent: 'ann', session: 'secrets' };
  const { messageId } = await call(hub.url, 'send_message', { target: 'ann', message: 'sk-hunter2' }, by);
  const args = ['redact', messageId, '--session', 'secrets', '--reason', 'a password', '--data', hub.data];
  expect(await output(args)).toBe(`Redacted ${messageId}\n`);
  expect(await output(['inbox', '--as', 'ann', '--session', 'secrets', '--data', hub.data])).toContain('[redacted]');
});

it('says what is missing or wrong', async () => {
  expect(await refused('sessions', 'clsoe', 'x')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('coterie sessions close'),
  });
  expect(await refused('sessions', 'close')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('name') });
  expect(await refused('redact')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('id of a message') });
  expect(await refused('redact', 'ma9zzz')).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('ma9zzz') });
});
