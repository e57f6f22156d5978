// The examples of docs/cli.md are what the commands print.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { comparable, consoleExamples, type ConsoleExample } from './console-examples.js';
import { runCli } from './run-cli.js';

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
const hub = useHub();

let threadId = '';
let questionId = '';
const inSession = ['--data', '', '--session', 'docs'];

beforeAll(async () => {
  inSession[1] = hub.data;
  for (const agent of ['ann', 'ben']) await call(hub.url, 'register_agent', {}, { agent, session: 'docs' });
});

async function expectPrinted({ args, stdin, printed }: ConsoleExample, where = inSession): Promise<void> {
  const known = args.map((word) => (/^t\d{12}$/.test(word) ? threadId : /^q-\d{12}$/.test(word) ? questionId : word));
  const { stdout, stderr } = await runCli([...known, ...(args[0] === 'prompt' ? [] : where)], { stdin });
  // Lines to copy name the folder of the test's hub, which a reader does not have.
  const shown = `${stdout}${stderr}`.replaceAll(` --data ${hub.data}`, '');
  expect(comparable(shown), args.join(' ')).toBe(comparable(printed));
  threadId = /t\d{12}/.exec(stdout)?.[0] ?? threadId;
  questionId = /q-\d{12}/.exec(stdout)?.[0] ?? questionId;
}

describe('docs/cli.md', () => {
  it('shows what the verbs of coterie thread print, and the thread', async () => {
    const examples = consoleExamples(page, 'threads and thread');
    expect(examples.length).toBeGreaterThan(6);
    // The others need the thread open.
    for (const example of examples.filter(({ args }) => args[1] !== 'close')) await expectPrinted(example);
  });

  it('shows what a search prints', async () => {
    await runCli(['send', ...inSession, '--as', 'ann', '--to', 'ben', 'Can you review PR 12?']);
    const examples = consoleExamples(page, 'search');
    expect(examples).toHaveLength(2);
    for (const example of examples) await expectPrinted(example);
  });

  it('shows what a chat prints in a pipe', async () => {
    const read = await runCli(['chat', threadId, ...inSession, '--as', 'ann']);
    expect(read.exitCode).toBe(0);
    await call(
      hub.url,
      'send_message',
      { threadId, message: '@ann reap and wait. Fixed in PR 13.' },
      { agent: 'ben', session: 'docs' },
    );
    const piped = consoleExamples(page, 'chat').filter(({ stdin }) => stdin !== '');
    expect(piped).toHaveLength(1);
    for (const example of piped) await expectPrinted(example);
  });

  it('shows how a thread is closed', async () => {
    const closing = consoleExamples(page, 'threads and thread').filter(({ args }) => args[1] === 'close');
    expect(closing).toHaveLength(1);
    for (const example of closing) await expectPrinted(example);
  });

  it('shows how people are asked and notified, and how they answer', async () => {
    for (const section of ['ask', 'questions and answer', 'alert']) {
      const examples = consoleExamples(page, section);
      expect(examples.length).toBeGreaterThan(0);
      // The local person is in the default session.
      for (const example of examples) await expectPrinted(example, ['--data', hub.data]);
    }
  });

  it('shows the prompt', async () => {
    const [example] = consoleExamples(page, 'prompt');
    expect(example?.args).toEqual(['prompt', '--agent', 'builder']);
    if (example !== undefined) await expectPrinted(example);
  });
});
