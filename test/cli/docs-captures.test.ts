// The examples of docs/cli.md are what the commands print: ids and times aside, and lines joined where a terminal wraps them.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { runCli } from './run-cli.js';

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
const hub = useHub();

interface Example {
  args: string[];
  stdin: string;
  printed: string;
}

/** `coterie …` lines of a section with what they print; its first words may feed a pipe. */
function examplesIn(section: string): Example[] {
  const text = page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  const blocks = [...text.matchAll(/^```console\n([^]*?)^```/gm)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((example) => {
        const [line = '', ...printed] = example.split('\n');
        const [, piped = '', command = ''] = /^(?:printf '([^']*)' \| )?coterie (.*)$/.exec(line) ?? [];
        return { args: wordsOf(command), stdin: piped.replaceAll(String.raw`\n`, '\n'), printed: printed.join('\n') };
      }),
  );
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

const ids = /\bt\d{12}\b|\bm[a-k]\d+[0-9a-z]{3}\b|\b\d\d:\d\d:\d\d\b/g;
const comparable = (text: string) => text.replace(ids, '#').replace(/\s+/g, ' ').trim();

let threadId = '';
const inSession = ['--data', '', '--session', 'docs'];

beforeAll(async () => {
  inSession[1] = hub.data;
  for (const agent of ['ann', 'ben']) await call(hub.url, 'register_agent', {}, { agent, session: 'docs' });
});

async function expectPrinted({ args, stdin, printed }: Example): Promise<void> {
  const known = args.map((word) => (/^t\d{12}$/.test(word) ? threadId : word));
  const { stdout, stderr } = await runCli([...known, ...(args[0] === 'prompt' ? [] : inSession)], { stdin });
  expect(comparable(`${stdout}${stderr}`), args.join(' ')).toBe(comparable(printed));
  threadId = /t\d{12}/.exec(stdout)?.[0] ?? threadId;
}

describe('docs/cli.md', () => {
  it('shows what the verbs of coterie thread print, and the thread', async () => {
    const examples = examplesIn('threads and thread');
    expect(examples.length).toBeGreaterThan(6);
    // The others need the thread open.
    for (const example of examples.filter(({ args }) => args[1] !== 'close')) await expectPrinted(example);
  });

  it('shows what a search prints', async () => {
    await runCli(['send', ...inSession, '--as', 'ann', '--to', 'ben', 'Can you review PR 12?']);
    const examples = examplesIn('search');
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
    const piped = examplesIn('chat').filter(({ stdin }) => stdin !== '');
    expect(piped).toHaveLength(1);
    for (const example of piped) await expectPrinted(example);
  });

  it('shows how a thread is closed', async () => {
    const closing = examplesIn('threads and thread').filter(({ args }) => args[1] === 'close');
    expect(closing).toHaveLength(1);
    for (const example of closing) await expectPrinted(example);
  });

  it('shows the prompt', async () => {
    const [example] = examplesIn('prompt');
    expect(example?.args).toEqual(['prompt', '--agent', 'builder']);
    if (example !== undefined) await expectPrinted(example);
  });
});
