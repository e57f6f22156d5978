// coterie chat: a thread live, on a terminal and through pipes, across restarts of the hub.
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { useHub } from '../support/use-hub.js';
import { hasTerminal, startOnTerminal } from './on-terminal.js';
import { output, runCli, startCli } from './run-cli.js';

const hub = useHub();

interface Room {
  threadId: string;
  flags: string[];
  say: (message: string, from?: string, url?: string) => Promise<string>;
}

/** A thread of ann and ben in a session of its own. */
async function room(session: string, { url, data }: { url: string; data: string } = hub): Promise<Room> {
  const [ann, ben] = [
    { agent: 'ann', session },
    { agent: 'ben', session },
  ];
  await call(url, 'register_agent', {}, ben);
  await call(url, 'set_notify_prefs', { muteKinds: ['created', 'joined'] }, ben);
  const { threadId } = await call(url, 'create_thread', { title: 'Nightly', participants: ['ben'] }, ann);
  return {
    threadId,
    flags: [threadId, '--data', data, '--session', session],
    async say(message, from = 'ben', at = url) {
      const { messageId } = await call(at, 'send_message', { threadId, message }, { agent: from, session });
      return messageId;
    },
  };
}

const textsIn = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .flatMap((line) => /^\d\d:\d\d:\d\d {2}\S+ +\S+ +(.*)$/.exec(line)?.[1] ?? []);

describe.skipIf(!hasTerminal)('coterie chat on a terminal', () => {
  it('keeps what is being typed below what arrives, and posts it with Enter', async () => {
    const { flags, say } = await room('typing');
    await say('earlier');
    const chat = startOnTerminal(['chat', ...flags, '--as', 'ann'], 60);
    await chat.endsWith(/^\S+ +ma1\w+ +ben {2}earlier$/, 'ann>');
    expect(chat.screen().slice(0, 2)).toEqual([
      expect.stringMatching(/^Nightly {2}t\d+ {2}open$/),
      'ann, ben; created by ann',
    ]);
    // Longer than the terminal is wide.
    const draft = 'the draft of an answer that is long enough to need a second row';
    const rows = [`ann> ${draft}`.slice(0, 60), `ann> ${draft}`.slice(60)] as const;
    chat.type(draft);
    await chat.endsWith(...rows);
    await say('something arrives');
    await chat.endsWith(/ben {2}earlier$/, /^\S+ +ma2\w+ +ben {2}something arrives$/, ...rows);
    chat.type('!\r');
    await chat.endsWith(
      /ben {2}something arrives$/,
      /^\S+ +ma3\w+ +ann {2}the draft of an answer that is long$/,
      /^ +enough to need a second row!$/,
      'ann>',
    );
    chat.type('\u0004');
    expect(await chat.ended()).toBe(0);
    expect(chat.screen().filter((row) => row.includes('row!'))).toHaveLength(1);
    for (const style of [1, 2, 22, 32]) expect(chat.written()).not.toContain(`\u001b[${style}m`);
  });

  it('says why a line was refused, and goes on', async () => {
    const { flags, threadId, say } = await room('refused');
    const chat = startOnTerminal(['chat', ...flags, '--as', 'ben'], 140);
    await chat.endsWith('ben>');
    await say('bye', 'ann');
    await call(hub.url, 'close_thread', { threadId }, { agent: 'ann', session: 'refused' });
    await chat.endsWith(/was closed by ann/, 'ben>');
    chat.type('too late\r');
    await chat.endsWith(/^THREAD_CLOSED: /, /./, 'Not sent: too late', 'ben>');
    chat.type('draft\u0003');
    expect(await chat.ended()).toBe(130);
  });

  it('shows colours unless NO_COLOR, and none that a message brings', async () => {
    const { flags, say } = await room('hostile');
    await say('\u001b[2J\u001b]0;owned\u0007safe\rforged\u009b31m');
    const chat = startOnTerminal(['chat', ...flags, '--as', 'ann'], 80, { NO_COLOR: '' });
    await chat.endsWith(/␛\[2J␛\]0;owned␇safe␍forged<U\+009B>31m$/, 'ann>');
    chat.type('\u0004');
    expect(await chat.ended()).toBe(0);
    expect(chat.written()).toContain('\u001b[1mNightly');
    for (const control of ['\u001b[2J', '\u0007', '\u009b']) expect(chat.written()).not.toContain(control);
  });
});

describe('coterie chat in a pipe', () => {
  it('posts each line, shows the thread and ends', async () => {
    const { flags, say } = await room('pipe');
    await say('before');
    const { exitCode, stdout, stderr } = await runCli(['chat', ...flags, '--as', 'ann'], {
      stdin: 'one\n\n  two @ben\r\nthree',
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(textsIn(stdout)).toEqual(['before', 'one', '  two @ben', 'three'].map((text) => text.trimStart()));
  });

  it('stops at a line that is refused, with its error', async () => {
    const { flags, threadId } = await room('pipe-refused');
    const chat = startCli(['chat', ...flags, '--as', 'ben']);
    chat.child.stdin.write('in time\n');
    await chat.shows(/in time/);
    await call(hub.url, 'close_thread', { threadId }, { agent: 'ann', session: 'pipe-refused' });
    chat.child.stdin.end('too late\nmuch too late\n');
    expect(await chat.end()).toMatchObject({ exitCode: 4, stderr: expect.stringMatching(/^THREAD_CLOSED: /) });
    const again = await runCli(['chat', ...flags, '--as', 'ben']);
    expect(again).toMatchObject({
      exitCode: 4,
      stdout: '',
      stderr: expect.stringMatching(/^THREAD_CLOSED: [^]*thread t/),
    });
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('loses and repeats no line when the hub ends by %s', async (signal) => {
    const first = await startHubProcess();
    const { flags, say } = await room('restart', first);
    const chat = startCli(['chat', ...flags, '--as', 'ann']);
    chat.child.stdin.write('one\n');
    await chat.shows(/one/);
    await (signal === 'SIGTERM' ? first.stop() : first.kill());
    await chat.shows(/Connection to the hub lost/);
    chat.child.stdin.write('two\n');
    const second = await startHubProcess({ data: first.data });
    await chat.shows(/two/);
    await say('three', 'ben', second.url);
    await chat.shows(/three/);
    chat.child.stdin.end('four');
    const { exitCode, stdout, stderr } = await chat.end();
    expect({ exitCode, texts: textsIn(stdout) }).toEqual({ exitCode: 0, texts: ['one', 'two', 'three', 'four'] });
    expect(stderr).toMatch(/Reconnected\./);
  });
});

describe('coterie chat', () => {
  it('joins a thread, and shows what it says to this member only', async () => {
    const { flags } = await room('join');
    const shown = await output(['chat', ...flags, '--as', 'carl'], { stdin: 'hello\n' });
    expect(shown).toMatch(/^Nightly {2}t\d+ {2}open\nann, ben, carl; created by ann\n\n/);
    expect(shown).toMatch(/system → carl {2}.*You have joined[^]*carl +hello\n$/);
    expect(await output(['chat', ...flags, '--as', 'ann'], { stdin: '' })).not.toContain('You have joined');
  });

  it('counts what it has shown as read, and shows all that was unread', async () => {
    const { flags, say } = await room('read');
    const ids = [await say('one'), await say('two'), await say('three')];
    const shown = await output(['chat', ...flags, '--as', 'ann', '--limit', '1'], { stdin: 'four\n' });
    expect(textsIn(shown)).toEqual(['one', 'two', 'three', 'four']);
    for (const messageId of ids) {
      await eventually('a receipt that says read', async () => {
        const { deliveries } = await call(hub.url, 'get_receipts', { messageId }, { agent: 'ben', session: 'read' });
        return deliveries[0].state === 'read';
      });
    }
    expect(textsIn(await output(['chat', ...flags, '--as', 'ann', '--limit', '1'], { stdin: '' }))).toEqual(['four']);
  });

  it.each([
    ['no thread', [], 2, /^USAGE: chat needs the id of a thread[^]*coterie threads/],
    ['no name', ['t1'], 4, /^IDENTITY_REQUIRED: [^]*--as NAME/],
    ['a thread that is none', ['t1', '--as', 'ann'], 4, /^THREAD_UNKNOWN: /],
    ['too long a past', ['t1', '--as', 'ann', '--limit', '201'], 2, /^USAGE: --limit was given '201'/],
  ])('refuses %s', async (_, args, exitCode, says) => {
    const ended = await runCli(['chat', ...args, '--data', hub.data]);
    expect(ended).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(says) });
  });
});
