// coterie ask, alert, questions and answer: what scripts rely on, above all the exit codes.
import { describe, expect, it } from 'vitest';
import { startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { TestDevice } from '../support/test-device.js';
import { useHub } from '../support/use-hub.js';
import { json, output, runCli, startCli } from './run-cli.js';

const hub = useHub();
const at = () => ['--url', hub.url];
const asCi = () => [...at(), '--as', 'ci'];
const asMe = () => [...at(), '--as', 'me'];
const ask = async (...args: string[]) => (await output(['ask', ...asCi(), ...args])).trim();

describe('coterie ask', () => {
  it('prints the id alone on stdout', async () => {
    const { exitCode, stdout, stderr } = await runCli(['ask', ...asCi(), 'Deploy?']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^q-\S+\n$/);
    expect(stderr).toContain(`coterie ask --resume ${stdout.trim()} --as ci --url ${hub.url}\n`);
  });

  it('prints lines that go on with it as they stand', async () => {
    const { stderr } = await runCli(['ask', ...asCi(), 'Deploy?', '--wait', '200ms']);
    const [, resume = '', cancel = ''] = /coterie (ask --resume .*); take it back: coterie (.*)/.exec(stderr) ?? [];
    expect(await runCli([...resume.split(' '), '--wait', '200ms'])).toMatchObject({ exitCode: 7 });
    expect(await output(cancel.split(' '))).toMatch(/^Cancelled q-/);
  });

  it.each([
    ['the first option', ['--option', '1'], 21, 'Yes, now\n'],
    ['the second option by its text', ['--option', 'No'], 22, 'No\n'],
    ['free text', ['After six.'], 20, 'After six.\n'],
    ['a refusal to answer', ['--decline', '--reason', 'Ask Ada'], 8, ''],
  ])('ends with the exit code of %s', async (_, given, exitCode, stdout) => {
    const asking = startCli(['ask', ...asCi(), 'Deploy?', '--option', 'Yes, now', '--option', 'No', '--wait'], {
      stdin: '',
    });
    await asking.shows(/\(q-\S+\)/);
    const [id = ''] = /q-[0-9a-z]+/.exec(asking.stderr()) ?? [];
    await output(['answer', id, ...given, ...asMe()]);
    expect(await asking.end()).toMatchObject({ exitCode, stdout });
  });

  it('prints the text of an option that was chosen by number, also if the hub cannot read it', async () => {
    const own = await startHubProcess();
    const phone = await TestDevice.make('Phone');
    expect((await phone.pairOnPage(own.url)).status).toBe(200);
    const options = ['--option', 'Yes, now', '--option', 'No', '--wait'];
    const asking = startCli(['ask', '--url', own.url, '--as', 'ci', 'Deploy?', ...options], { stdin: '' });
    await asking.shows(/\(q-\S+\)/);
    const [id = ''] = /q-[0-9a-z]+/.exec(asking.stderr()) ?? [];
    await output(['answer', id, '--option', '2', '--url', own.url, '--as', 'me']);
    expect(await asking.end()).toMatchObject({ exitCode: 22, stdout: 'No\n' });
  });

  it('tells expired, cancelled and timed out apart', async () => {
    const expiring = await runCli(['ask', ...asCi(), 'Deploy?', '--ttl', '1s', '--wait']);
    expect(expiring).toMatchObject({ exitCode: 9, stdout: '', stderr: expect.stringContaining('neither yes nor no') });
    const byDefault = await runCli(['ask', ...asCi(), 'Deploy?', '--ttl', '1s', '--default', 'No', '--wait']);
    expect(byDefault).toMatchObject({ exitCode: 9, stdout: 'No\n', stderr: expect.stringContaining('default answer') });
    const id = await ask('Deploy?');
    const timedOut = await runCli(['ask', ...asCi(), '--resume', id, '--wait', '200ms']);
    expect(timedOut).toMatchObject({ exitCode: 7, stdout: '', stderr: expect.stringContaining(`${id} stays pending`) });
    expect(await output(['questions', 'cancel', id, ...asCi()])).toBe(`Cancelled ${id}.\n`);
    expect(await runCli(['ask', ...asCi(), '--resume', id])).toMatchObject({ exitCode: 10, stdout: '' });
  });

  it('leaves the question pending on Ctrl-C', async () => {
    const asking = startCli(['ask', ...asCi(), 'Deploy?', '--wait'], { stdin: '' });
    await asking.shows(/\(q-\S+\)/);
    const [id = ''] = /q-[0-9a-z]+/.exec(asking.stderr()) ?? [];
    const { exitCode, stderr } = await asking.end('SIGINT');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 130,
      stderr: expect.stringContaining(`coterie ask --resume ${id}`),
    });
    expect(await json(['questions', ...asCi(), '--question-id', id])).toMatchObject({
      questions: [{ status: 'pending' }],
    });
  });

  it('refuses what makes no sense', async () => {
    expect(await runCli(['ask', ...asCi()])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('question'),
    });
    expect(await runCli(['ask', ...asCi(), '--resume', 'q-1', 'Deploy?'])).toMatchObject({ exitCode: 2 });
    expect(await runCli(['ask', ...asCi(), 'Deploy?', '--to', 'nobody'])).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('PERSON_UNKNOWN'),
    });
    expect(await runCli(['ask', ...asCi(), '--resume', 'q-000000000000'])).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('QUESTION_UNKNOWN'),
    });
  });
});

describe('coterie ask --wait and a hub that is killed', () => {
  it('goes on when the hub is back', async () => {
    const data = tempFolder();
    const first = await startHubProcess({ data });
    const asking = startCli(['ask', '--data', data, '--as', 'ci', 'Deploy?', '--option', 'Yes', '--wait'], {
      stdin: '',
    });
    await asking.shows(/\(q-\S+\)/);
    const [id = ''] = /q-[0-9a-z]+/.exec(asking.stderr()) ?? [];
    await first.kill();
    await startHubProcess({ data });
    await output(['answer', id, '--option', '1', '--data', data, '--as', 'me']);
    expect(await asking.end()).toMatchObject({ exitCode: 21, stdout: 'Yes\n' });
  });
});

describe('coterie questions', () => {
  it('shows what a person needs to answer', async () => {
    const id = await ask(
      'Which host?',
      '--option',
      'alpha',
      '--option',
      'beta',
      '--context',
      'Both are up.',
      '--priority',
      'high',
    );
    const text = await output(['questions', ...asMe(), '--status', 'pending', '--limit', '1']);
    expect(text).toMatch(
      new RegExp(
        `ci → me {2}${id} {2}pending {2}\\[high, 6d left\\]\n {2}Which host\\?\n {2}Both are up\\.\n {4}1 alpha\n {4}2 beta\n`,
      ),
    );
    expect(text).toContain('coterie answer ID --option N');
    await output(['answer', id, '--option', '2', ...asMe()]);
    expect(await output(['questions', ...asCi(), '--question-id', id])).toContain('→ answered by me: beta');
  });

  it('says that there are none', async () => {
    const empty = await output(['questions', ...at(), '--as', 'new-here']);
    expect(empty).toBe('No questions.\nAsk one: coterie ask --as NAME "Deploy?" --option Yes --option No\n');
  });

  it('speaks for the local person without a name', async () => {
    const id = await ask('Anyone there?');
    expect(await output(['questions', ...at()])).toContain(id);
    expect(await output(['answer', id, 'Yes.', ...at()])).toBe(`Answered ${id}: Yes.\n`);
  });
});

describe('coterie answer', () => {
  it('refuses an agent, a second answer, and no answer', async () => {
    const id = await ask('Deploy?', '--option', 'Yes');
    expect((await runCli(['answer', id, '--option', '1', ...asCi()])).exitCode).toBeGreaterThan(3);
    expect(await runCli(['answer', id, '--option', '7', ...asMe()])).toMatchObject({ exitCode: 4 });
    expect(await runCli(['answer', id, ...asMe()])).toMatchObject({ exitCode: 2 });
    expect(await runCli(['answer', id, 'Yes', '--decline', ...asMe()])).toMatchObject({ exitCode: 2 });
    await output(['answer', id, 'Yes', ...asMe()]);
    expect(await runCli(['answer', id, 'No', ...asMe()])).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('ALREADY_ANSWERED'),
    });
  });
});

describe('coterie alert', () => {
  it('notifies, from an argument and from a pipe', async () => {
    expect(await output(['alert', ...asCi(), 'Tests failed', '--type', 'error'])).toMatch(/\(a-\S+\)\n/);
    expect(await output(['alert', ...asCi(), '-'], { stdin: 'line one\nline two\n' })).toMatch(/\(a-\S+\)\n/);
    const { alerts } = JSON.parse(await output(['call', 'list_alerts', ...asMe()]));
    expect(alerts.map(({ message }: { message: string }) => message)).toEqual(['line one\nline two', 'Tests failed']);
    expect(await runCli(['alert', ...asCi()])).toMatchObject({ exitCode: 2 });
  });
});
