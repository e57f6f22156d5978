// What reaches a terminal: colours only where they are wanted, and never a control character that an agent wrote.
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { cliPath } from '../support/hub-process.js';
import { cleanEnv, output, runCli, startCli } from './run-cli.js';
import { hasTerminal, onTerminal } from './on-terminal.js';
import { useHubProcess } from '../support/use-hub-process.js';

const escape = '\u001b';
/** Clears the screen, sets the title, forges a line by returning, hides by direction, and the one-byte form of an escape. */
const hostile = `${escape}[2J${escape}]0;owned\u0007safe\rforged\u009b31mred\u202egnp.exe\u007f`;

const hub = useHubProcess();
let threadId = '';
beforeAll(async () => {
  const ann = { agent: 'ann' };
  await call(hub.url, 'register_agent', { agentName: hostile.slice(0, 40), description: hostile }, { agent: 'ben' });
  ({ threadId } = await call(hub.url, 'create_thread', { title: hostile, participants: ['ben'] }, ann));
  await call(
    hub.url,
    'send_message',
    { threadId, message: `@ben ${hostile}\nsecond`, context: hostile, payload: { hostile } },
    ann,
  );
  await call(hub.url, 'send_message', { target: 'ben', threadId: `label${escape}[31m`, message: 'in a label' }, ann);
});

const at = () => ['--data', hub.data];
const controls = /[\p{Cc}\p{Bidi_Control}]/u;
const withoutBreaks = (text: string) => text.replaceAll('\n', '');

describe('text that agents wrote', () => {
  it.each([
    ['inbox', () => ['inbox', '--as', 'ben', '--peek']],
    ['thread', () => ['thread', threadId]],
    ['threads', () => ['threads']],
    ['agents', () => ['agents']],
    ['top', () => ['top']],
  ])('cannot control the terminal through coterie %s', async (_, args) => {
    const shown = await output([...args(), ...at()]);
    expect(withoutBreaks(shown)).not.toMatch(controls);
    expect(shown).toContain('␛[2J␛]0;owned␇safe␍forged<U+009B>31mred<U+202E>gnp.exe␡'.slice(0, 30));
  });

  it('cannot through coterie tail', async () => {
    const tail = startCli(['tail', ...at(), '--after', '0']);
    await tail.shows(/in a label/);
    const { stdout } = await tail.end('SIGTERM');
    expect(withoutBreaks(stdout)).not.toMatch(controls);
    expect(stdout).toMatch(/ann → ben +in a label\n/);
    expect(stdout).toMatch(/\n {20,}second\n/);
  });

  it('cannot through --json either, and is unchanged for a program', async () => {
    const shown = await output(['inbox', '--as', 'ben', '--peek', '--json', ...at()]);
    expect(withoutBreaks(shown)).not.toMatch(controls);
    expect(JSON.parse(shown).messages[1].content[0].text).toBe(`@ben ${hostile}\nsecond`);
  });

  it('cannot through an error that quotes it', async () => {
    const { stderr } = await runCli(
      ['call', 'send_message', ...at(), '--as', 'ann', '--target', 'ben', '--json', JSON.stringify({ [hostile]: 1 })],
      {
        stdin: '',
      },
    );
    expect(stderr).toMatch(/^UNKNOWN_FIELD: /);
    expect(withoutBreaks(stderr)).not.toMatch(controls);
  });
});

describe('colours', () => {
  it('are not in a pipe, unless they are forced', async () => {
    expect(await output(['agents', ...at()])).not.toContain(escape);
    expect(await output(['agents', ...at()], { env: { FORCE_COLOR: '1' } })).toContain(`${escape}[`);
    expect(await output(['agents', ...at()], { env: { FORCE_COLOR: '0' } })).not.toContain(escape);
  });

  it.skipIf(!hasTerminal)('are on a terminal, unless NO_COLOR', () => {
    expect(onTerminal(['agents', ...at()])).toContain(`${escape}[`);
    expect(onTerminal(['agents', ...at()], { NO_COLOR: '1' })).not.toContain(escape);
    expect(onTerminal(['agents', ...at()], { TERM: 'dumb' })).not.toContain(escape);
  });

  it.skipIf(!hasTerminal)('never come from a message, on a terminal either', () => {
    const shown = onTerminal(['thread', threadId, ...at()], { NO_COLOR: '1' });
    expect(shown).toContain('second');
    expect(shown.replaceAll('\r\n', '')).not.toMatch(controls);
  });
});

describe.skipIf(!hasTerminal)('coterie top on a terminal', () => {
  it('has a screen of its own, and gives the terminal back when it ends', () => {
    const shown = onTerminal(['top', ...at(), '--every', '100ms'], { NO_COLOR: '1' }, 'q');
    const [enter, leave] = [`${escape}[?1049h${escape}[?25l`, `${escape}[?25h${escape}[?1049l`];
    expect(shown).toContain(enter);
    expect(shown.trimEnd().endsWith(leave)).toBe(true);
  });
});

describe('a reader that goes away', () => {
  it('ends a command quietly', async () => {
    const help = startCli(['help', 'call'], { stdin: '' });
    help.child.stdout.destroy();
    expect(await help.end()).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe.skipIf(process.platform !== 'linux')('output that cannot be written', () => {
  it('is no reading: the message is given back, and the command says so', async () => {
    const ann = { agent: 'ann', session: 'full' };
    await call(hub.url, 'register_agent', {}, { agent: 'ben', session: 'full' });
    await call(hub.url, 'send_message', { target: 'ben', message: 'keep me' }, ann);
    const line = `exec '${process.execPath}' '${cliPath}' wait --as ben --session full --data '${hub.data}' > /dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', line], { env: cleanEnv(), encoding: 'utf8', timeout: 50_000 });
    expect({ status, stderr }).toEqual({ status: 74, stderr: expect.stringMatching(/^OUTPUT_FAILED: .*no space/i) });
    const { messages } = await call(hub.url, 'get_messages', {}, { agent: 'ben', session: 'full' });
    expect(messages).toMatchObject([{ redelivered: true }]);
  });
});
