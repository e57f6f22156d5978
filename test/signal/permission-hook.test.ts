// coterie hook permission: the decision of a verified device reaches the client in its own form, and nothing else does.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callHash, open, seal } from '../../dist/signal/envelope/index.js';
import { output, runCli } from '../cli/run-cli.js';
import { eventually } from '../support/eventually.js';
import { startedBefore, useHub } from '../support/use-hub.js';
import { tempFolder } from '../support/temp-folder.js';
import { answerFrom, claudePrompt, pin, promptOn, sealedAnswer, startHook, verifiedDevice } from './permission-rig.js';

const hub = useHub();
const place = startedBefore(() => Promise.resolve({ home: tempFolder() }));
const phone = startedBefore(async () => {
  const device = await verifiedDevice(hub.url);
  await pin(hub.url, place.home, device);
  return device;
});
const start = (stdin: string, args: string[] = []) => startHook({ url: hub.url, home: place.home, stdin, args });

const allowed = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } };

describe('a permission prompt of Claude Code', () => {
  it('is put to the device whole and encrypted, and allowed by it', async () => {
    const hook = start(claudePrompt('npm publish'));
    const question = await promptOn(hub.url, phone);
    expect(question).toMatchObject({ from: 'shop-claude', encryption: 'end_to_end', optionCount: 3, priority: 'high' });
    if (question.sealed === undefined || question.senderKeys === undefined) throw new Error('not sealed');
    const { payload } = await open(phone.keys, question.sealed, {
      senders: [question.senderKeys],
      header: { use: 'permission', id: question.id, callHash: question.callHash ?? '' },
    });
    const call = {
      tool: 'Bash',
      input: JSON.stringify({ command: 'npm publish', description: 'run it' }, null, 2),
      cwd: '/work/shop',
    };
    expect(payload).toMatchObject({
      text: 'Allow Bash?',
      options: ['Allow', 'Deny', 'Allow for this session'],
      toolCall: call,
    });
    expect(question.callHash).toBe(await callHash(call));
    await answerFrom(hub.url, phone, question, { option: 1, response: 'Allow' });
    const { exitCode, stdout } = await hook.end();
    expect({ exitCode, said: JSON.parse(stdout) }).toEqual({ exitCode: 0, said: allowed });
    expect(statSync(join(place.home, 'coterie', 'signal', 'hook.json')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['Deny', { option: 2, response: 'Deny' }, { behavior: 'deny', message: 'Denied by the person who was asked.' }],
    ['Deny with words', { option: 2, response: 'Use the mirror.' }, { behavior: 'deny', message: 'Use the mirror.' }],
    ['words alone', { option: null, response: 'Not today.' }, { behavior: 'deny', message: 'Not today.' }],
    [
      'Allow for this session',
      { option: 3, response: 'Allow for this session' },
      {
        behavior: 'allow',
        updatedPermissions: [
          {
            type: 'addRules',
            rules: [{ toolName: 'Bash', ruleContent: 'make' }],
            behavior: 'allow',
            destination: 'session',
          },
        ],
      },
    ],
  ])('is decided by %s', async (_, said, decision) => {
    const hook = start(claudePrompt('make'));
    await answerFrom(hub.url, phone, await promptOn(hub.url, phone), said);
    const { stdout } = await hook.end();
    expect(JSON.parse(stdout)).toEqual({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
  });

  it('is not allowed for the session where a rule would allow more', async () => {
    const hook = start(claudePrompt('rm *.log'));
    const question = await promptOn(hub.url, phone);
    expect(question.optionCount).toBe(2);
    await answerFrom(hub.url, phone, question, { option: 3, response: 'Allow for this session' });
    expect(await hook.end()).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it.each(['folder', 'folder with a slash', 'path with a space at its end', 'path with dots'])(
    'is not allowed for the session where the file is a %s: the rule would hold for others',
    async (what) => {
      const folder = tempFolder();
      const paths: Record<string, string> = {
        folder,
        'folder with a slash': `${folder}/new/`,
        'path with a space at its end': `${folder}/new `,
        'path with dots': `${folder}/new/../../x`,
      };
      const input = { tool_name: 'Write', tool_input: { file_path: paths[what], content: '' } };
      const hook = start(claudePrompt('', input));
      const question = await promptOn(hub.url, phone);
      await answerFrom(hub.url, phone, question, { option: 3, response: 'Allow for this session' });
      expect(await hook.end()).toMatchObject({ exitCode: 0, stdout: '' });
    },
  );

  it('can be denied, and not allowed, if it is too long to be shown whole', async () => {
    const hook = start(claudePrompt(`echo ${'x'.repeat(20_000)}`));
    await answerFrom(hub.url, phone, await promptOn(hub.url, phone), { option: 1, response: 'Allow' });
    expect(await hook.end()).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringContaining('not shown whole'),
    });
  });
});

describe('without a decision the client’s own prompt decides', () => {
  const left = { exitCode: 0, stdout: '' };

  it('when no one answers in time; the question is taken back', async () => {
    const hook = start(claudePrompt('make late'), ['--timeout', '6s']);
    const { id } = await promptOn(hub.url, phone);
    expect(await hook.end()).toMatchObject({ ...left, stderr: expect.stringContaining('in time') });
    expect(await statusOf(id)).toBe('cancelled');
  });

  it('when the person declines', async () => {
    const hook = start(claudePrompt('make declined'));
    const question = await promptOn(hub.url, phone);
    const sealed = await sealedAnswer(phone.keys, question, { option: null, response: '' }, { status: 'declined' });
    await phone.call(hub.url, 'decline_question', { questionId: question.id, sealed });
    expect(await hook.end()).toMatchObject({ ...left, stderr: expect.stringContaining('declined') });
  });

  it('when the client ends the hook: it takes the question back', async () => {
    const hook = start(claudePrompt('make ended'));
    const { id } = await promptOn(hub.url, phone);
    expect(await hook.end('SIGTERM')).toMatchObject(left);
    expect(await statusOf(id)).toBe('cancelled');
  });

  it('when the client kills it: the question expires with its time', async () => {
    const hook = start(claudePrompt('make killed'), ['--timeout', '6s']);
    const { id } = await promptOn(hub.url, phone);
    await hook.end('SIGKILL');
    await eventually('it is expired', async () => (await statusOf(id)) === 'expired');
  });

  it('when it was decided at the terminal', async () => {
    const log = join(place.home, 'conversation.jsonl');
    const input = { command: 'make here', description: 'run it' };
    const line = (content: object) => `${JSON.stringify({ message: { content: [content] } })}\n`;
    writeFileSync(log, line({ type: 'tool_use', id: 'call_1', name: 'Bash', input }));
    const hook = start(claudePrompt('make here', { transcript_path: log }));
    const { id } = await promptOn(hub.url, phone);
    const before = readFileSync(log, 'utf8');
    writeFileSync(log, before + line({ type: 'tool_result', tool_use_id: 'call_1', content: 'done' }));
    expect(await hook.end()).toMatchObject({ ...left, stderr: expect.stringContaining('at the terminal') });
    expect(await statusOf(id)).toBe('cancelled');
  });

  it('when no hub runs, or the input is something else', async () => {
    expect(
      await startHook({ url: 'http://127.0.0.1:9', home: place.home, stdin: claudePrompt('x') }).end(),
    ).toMatchObject(left);
    expect(await start('{"hook_event_name":"Stop"}').end()).toMatchObject(left);
    expect(await start('no JSON').end()).toMatchObject(left);
  });

  it('and a mistake in the settings is not a refusal, which exit code 2 would be', async () => {
    expect(await start(claudePrompt('x'), ['--client', 'none']).end()).toMatchObject({ exitCode: 1, stdout: '' });
  });

  async function statusOf(id: string): Promise<string> {
    const { questions } = await phone.call(hub.url, 'list_questions', { questionId: id });
    return questions[0].status;
  }
});

describe('coterie ask', () => {
  it('encrypts to the device itself, and opens its answer in a later run', async () => {
    const env = { XDG_DATA_HOME: place.home };
    const at = ['--url', hub.url, '--as', 'ci'];
    const id = (await output(['ask', ...at, 'Deploy?', '--option', 'Yes', '--option', 'No'], { env })).trim();
    const { questions } = await phone.call(hub.url, 'list_questions', { questionId: id });
    expect(questions[0]).toMatchObject({ encryption: 'end_to_end', optionCount: 2 });
    expect(questions[0].question).toBeUndefined();
    expect(await output(['questions', '--url', hub.url, '--as', 'me'], { env })).toContain(
      'open it in the app; 2 options',
    );
    const { senderKeys } = questions[0];
    const header = { use: 'answer' as const, session: 'default', id, at: Date.now(), status: 'answered' as const };
    const sealed = await seal(phone.keys, [senderKeys], { header, payload: { option: 2, response: 'No' } });
    await phone.call(hub.url, 'answer_question', { questionId: id, sealed });
    expect(await runCli(['ask', ...at, '--resume', id], { env })).toMatchObject({ exitCode: 22, stdout: 'No\n' });
  });

  it('gets a number that was given on the command line for a sealed question', async () => {
    const env = { XDG_DATA_HOME: place.home };
    const at = ['--url', hub.url, '--as', 'ci'];
    const id = (await output(['ask', ...at, 'Deploy?', '--option', 'Yes', '--option', 'No'], { env })).trim();
    await output(['answer', id, '--option', '1', '--url', hub.url, '--as', 'me']);
    expect((await runCli(['ask', ...at, '--resume', id], { env })).exitCode).toBe(21);
  });
});

describe('other clients', () => {
  it('Codex gets its form, which has no session', async () => {
    const hook = start(claudePrompt('make codex'), ['--client', 'codex']);
    const question = await promptOn(hub.url, phone);
    expect(question).toMatchObject({ from: 'shop-codex', optionCount: 2 });
    await answerFrom(hub.url, phone, question, { option: 1, response: 'Allow' });
    expect(JSON.parse((await hook.end()).stdout)).toEqual(allowed);
  });

  it('Copilot CLI gets its form', async () => {
    const stdin = JSON.stringify({
      sessionId: 's',
      cwd: '/work/shop',
      toolName: 'bash',
      toolInput: { command: 'make' },
    });
    const hook = start(stdin, ['--client', 'copilot']);
    await answerFrom(hub.url, phone, await promptOn(hub.url, phone), { option: 2, response: 'Deny' });
    expect(JSON.parse((await hook.end()).stdout)).toEqual({
      behavior: 'deny',
      message: 'Denied by the person who was asked.',
    });
  });
});
