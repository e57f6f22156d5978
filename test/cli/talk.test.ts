// coterie send, wait and inbox: what people and scripts talk with.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorKinds } from '../../dist/contract/errors.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { json, output, runCli, startCli } from './run-cli.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

/** A session in which ben is registered, and its flags. */
async function room(session: string): Promise<string[]> {
  await call(hub.url, 'register_agent', {}, { agent: 'ben', session });
  return ['--data', hub.data, '--session', session];
}

async function stateOf(session: string, messageId: string): Promise<string> {
  const { deliveries } = await call(hub.url, 'get_receipts', { messageId }, { agent: 'ann', session });
  return deliveries[0].state;
}

describe('coterie send', () => {
  it('sends its argument and says to whom', async () => {
    const at = await room('send');
    const said = await output(['send', ...at, '--as', 'ann', '--to', 'ben', 'Can you review PR 12?']);
    expect(said).toMatch(/^Sent ma1\w+ to ben \(active\)\n$/);
    const { messages } = await call(hub.url, 'get_messages', {}, { agent: 'ben', session: 'send' });
    expect(messages).toMatchObject([{ sender: 'ann', target: 'ben', content: [{ text: 'Can you review PR 12?' }] }]);
  });

  it('prints the structured result with --json', async () => {
    const at = await room('send-json');
    const sent = await json(['send', ...at, '--as', 'ann', '--to', 'ben', 'hi']);
    expect(sent).toMatchObject({
      success: true,
      seq: 1,
      recipients: [{ id: 'ben', state: 'pending' }],
      duplicate: false,
    });
  });

  it('takes every friendly flag', async () => {
    const at = await room('flags');
    const { threadId } = await call(
      hub.url,
      'create_thread',
      { title: 'T', participants: ['ben'], initial_message: 'first' },
      { agent: 'ann', session: 'flags' },
    );
    const { messages: before } = await call(hub.url, 'get_thread', { threadId }, { agent: 'ann', session: 'flags' });
    const first = before.at(-1).id;
    const flags = ['--thread', threadId, '--mention', 'ben,carl', '--mention', 'dora', '--reply-to', first];
    const more = ['--type', 'query', '--priority', 'HIGH', '--ttl', '2h', '--key', 'k1', '--urgent', '--interrupt'];
    const sent = await json([
      'send',
      ...at,
      '--as',
      'ann',
      ...flags,
      ...more,
      '--payload',
      '{"n":1}',
      '--metadata={"m":true}',
      '--context',
      'about T',
      'all of it',
    ]);
    expect(sent.droppedMentions).toEqual(['carl', 'dora']);
    const { messages } = await call(
      hub.url,
      'get_thread',
      { threadId, after: first },
      { agent: 'ann', session: 'flags' },
    );
    expect(messages).toMatchObject([
      {
        type: 'QUERY',
        priority: 'high',
        action: 'interrupt',
        urgent: true,
        replyTo: first,
        mentions: ['ben'],
        payload: { n: 1 },
        metadata: { m: true },
        context: 'about T',
      },
    ]);
    const lifeMs = Date.parse(messages[0].expiresAt) - Date.parse(messages[0].timestamp);
    expect(lifeMs).toBe(2 * 60 * 60 * 1_000);
  });

  it('takes every field under the contract’s own name', async () => {
    const at = await room('own-names');
    const names = ['--target', 'ben', '--message-type', 'PING', '--idempotency-key', 'k', '--no-parse-mentions'];
    const sent = await json(['send', ...at, '--as', 'ann', ...names, '--content', 'hello @ben']);
    expect(sent).toMatchObject({ success: true, mentions: [] });
    const again = await output(['send', ...at, '--as', 'ann', ...names, '--content', 'hello @ben']);
    expect(again).toMatch(new RegExp(`^Was already sent ${sent.messageId}`));
  });

  it.each([
    ['when it is piped', [] as string[]],
    ['when the argument is a dash', ['-']],
  ])('reads the text from stdin %s', async (_, word) => {
    const at = await room('stdin');
    await output(['send', ...at, '--as', 'ann', '--to', 'ben', ...word], { stdin: 'one\ntwo\n' });
    const { messages } = await call(hub.url, 'get_messages', {}, { agent: 'ben', session: 'stdin' });
    expect(messages[0].content).toEqual([{ type: 'text', text: 'one\ntwo' }]);
  });

  it('says what it waits for when nothing comes through the pipe', async () => {
    const at = await room('silent-pipe');
    const sending = startCli(['send', ...at, '--as', 'ann', '--to', 'ben']);
    await sending.shows(/reading the message from stdin/);
    sending.child.stdin.end('here it is');
    expect(await sending.end()).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Sent /) });
  });

  it('refuses to send nothing', async () => {
    const at = await room('nothing');
    const { exitCode, stderr } = await runCli(['send', ...at, '--as', 'ann', '--to', 'ben'], { stdin: ' \n' });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/^USAGE: stdin is empty[^]*--to ben/),
    });
  });

  it('sends a picture along', async () => {
    const at = await room('picture');
    const file = join(hub.data, 'dot.png');
    writeFileSync(file, Buffer.from([1, 2, 3]));
    await output(['send', ...at, '--as', 'ann', '--to', 'ben', '--attach', file, 'look']);
    const shown = await output(['inbox', ...at, '--as', 'ben']);
    expect(shown).toMatch(/\n {2}look\n {2}\[image image\/png, 1 KB\]\n/);
  });

  it('refuses to attach what is no picture, audio or video', async () => {
    const file = join(hub.data, 'notes.txt');
    writeFileSync(file, 'hello');
    const { exitCode, stderr } = await runCli(['send', '--to', 'ben', '--attach', file, 'look']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/^USAGE: --attach: '.*notes\.txt' is no image, audio or video\.\n.*png jpg/),
    });
  });
});

describe('coterie wait', () => {
  it('prints what is unread, and then it is read', async () => {
    const at = await room('wait');
    const { messageId } = await json(['send', ...at, '--as', 'ann', '--to', 'ben', '--type', 'QUERY', 'one\ntwo']);
    const { exitCode, stdout, stderr } = await runCli(['wait', ...at, '--as', 'ben']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}ann → ben {2}${messageId} {2}\\[QUERY\\]\\n {2}one\\n {2}two\\n$`),
    );
    expect(await stateOf('wait', messageId)).toBe('read');
  });

  it('is woken by a message', async () => {
    const at = await room('woken');
    const waiting = startCli(['wait', ...at, '--as', 'ben', '--timeout', '20s', '--json']);
    await eventually('ben waits', async () => {
      const { agents } = await call(hub.url, 'list_agents', {}, { session: 'woken' });
      return agents[0].presence === 'waiting';
    });
    await output(['send', ...at, '--as', 'ann', '--to', 'ben', 'wake up']);
    const { exitCode, stdout } = await waiting.end();
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ timedOut: false, messages: [{ sender: 'ann', why: 'direct' }] });
  });

  it('ends with a code of its own when the time is up', async () => {
    const at = await room('time-out');
    const { exitCode, stdout, stderr } = await runCli(['wait', ...at, '--as', 'ben', '--timeout', '50ms']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
    expect(stderr).toMatch(/No messages within 0\.1s/);
    expect(Object.values(errorKinds).map((kind) => kind.exitCode)).not.toContain(7);
    const asJson = await runCli(['wait', ...at, '--as', 'ben', '--timeout-ms', '0', '--json']);
    expect(asJson).toMatchObject({ exitCode: 7, stderr: '' });
    expect(JSON.parse(asJson.stdout)).toMatchObject({ messages: [], timedOut: true });
  });

  it('leaves the acknowledging to a script that asks for it', async () => {
    const at = await room('manual');
    const { messageId } = await json(['send', ...at, '--as', 'ann', '--to', 'ben', 'hi']);
    const { cursor } = await json(['wait', ...at, '--as', 'ben', '--ack', 'manual']);
    expect(await stateOf('manual', messageId)).toBe('delivered');
    await output(['call', 'ack_messages', ...at, '--as', 'ben', '--cursor', cursor]);
    expect(await stateOf('manual', messageId)).toBe('read');
  });

  it('gives back what it could not write', async () => {
    const at = await room('closed-pipe');
    const { messageId } = await json(['send', ...at, '--as', 'ann', '--to', 'ben', 'do not lose me']);
    const waiting = startCli(['wait', ...at, '--as', 'ben', '--from', 'ann']);
    // Nobody reads any more before anything was written.
    waiting.child.stdout.destroy();
    expect(await waiting.end()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await stateOf('closed-pipe', messageId)).toBe('pending');
    expect(await output(['inbox', ...at, '--as', 'ben'])).toMatch(/\[redelivered\]\n {2}do not lose me\n$/);
  });
});

describe('coterie inbox', () => {
  it('does not acknowledge when it is killed before its reader reads', async () => {
    const at = await room('killed');
    const message = 'x'.repeat(200_000);
    const send = () => call(hub.url, 'send_message', { target: 'ben', message }, { agent: 'ann', session: 'killed' });
    const { messageId } = await send();
    for (let more = 0; more < 4; more++) await send();
    const reading = startCli(['inbox', ...at, '--as', 'ben']);
    // More than any pipe holds: the command is still writing when it is killed.
    reading.child.stdout.removeAllListeners('data');
    reading.child.stdout.pause();
    await eventually('it was handed out', async () => (await stateOf('killed', messageId)) === 'delivered');
    reading.child.stdout.destroy();
    await reading.end('SIGKILL');
    expect(await stateOf('killed', messageId)).not.toBe('read');
  });

  it('reads in order and then is empty, and says what to do next', async () => {
    const at = await room('inbox');
    await output(['send', ...at, '--as', 'ann', '--to', 'ben', 'later']);
    await output(['send', ...at, '--as', 'ann', '--to', 'ben', '--priority', 'high', 'first']);
    const shown = await output(['inbox', ...at, '--as', 'ben']);
    expect(shown).toMatch(/\[high\]\n {2}first\n\n.*\n {2}later\n$/);
    const empty = await output(['inbox', ...at, '--as', 'ben']);
    expect(empty).toMatch(/^No unread messages for ben\.\n.*coterie wait --as ben\n.*--recent\n$/);
  });

  it('peeks without reading, and looks again at what was read', async () => {
    const at = await room('peek');
    const { messageId } = await json(['send', ...at, '--as', 'ann', '--to', 'ben', 'hi']);
    for (const flags of [['--peek'], ['--no-mark-as-read'], ['--mark-as-read=false']]) {
      expect(await output(['inbox', ...at, '--as', 'ben', ...flags])).toContain(messageId);
    }
    expect(await output(['inbox', ...at, '--of', 'ben', '--as', 'ann'])).toContain(messageId);
    expect(await stateOf('peek', messageId)).toBe('pending');
    await output(['inbox', ...at, '--as', 'ben']);
    expect(await json(['inbox', ...at, '--as', 'ben', '--recent'])).toMatchObject({
      messages: [{ id: messageId, state: 'read' }],
    });
  });

  it('names the thread, and why the reader was woken', async () => {
    const at = await room('why');
    const flags = ['--title', 'Q4\nreport', '--participants', 'ben', '--initial-message', '@ben hello'];
    const { threadId } = JSON.parse(await output(['call', 'create_thread', ...at, '--as', 'ann', ...flags]));
    const shown = await output(['inbox', ...at, '--as', 'ben']);
    expect(shown).toContain(`ann in ${threadId} “Q4 report”  ma2`);
    expect(shown).toContain('[mentions you]');
  });

  it('reads another’s inbox under the example’s name, and acknowledges for the reader', async () => {
    const at = await room('seed');
    const { messageId } = await json(['send', ...at, '--as', 'ann', '--to', 'ben', 'hi']);
    await output(['inbox', ...at, '--session-id', 'ben']);
    expect(await stateOf('seed', messageId)).toBe('read');
  });

  it('says that there is more', async () => {
    const at = await room('more');
    for (const text of ['one', 'two']) await output(['send', ...at, '--as', 'ann', '--to', 'ben', text]);
    expect(await output(['inbox', ...at, '--as', 'ben', '--limit', '1'])).toMatch(
      /one\n\nMore unread messages: run it again\.\n$/,
    );
    expect(await output(['inbox', ...at, '--as', 'ben', '--limit', '1'])).toMatch(/two\n$/);
  });
});
