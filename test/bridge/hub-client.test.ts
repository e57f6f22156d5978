// coterie/client: the hub's operations as calls of a program.
import { describe, expect, it } from 'vitest';
import { HubClient, HubError } from '../../dist/client/index.js';
import { Msg, TextBlock, ToolUseBlock } from '../../dist/contract/index.js';
import { fastClock } from '../support/fast-clock.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

async function pair(session: string): Promise<{ ann: HubClient; ben: HubClient }> {
  const ann = new HubClient({ url: `${hub.url}/`, agent: 'ann', session });
  const ben = new HubClient({ url: hub.url, agent: 'ben', session, clientId: 'ben-1' });
  await ben.call('register_agent', { description: 'reads' });
  return { ann, ben };
}

const stateOf = async (sender: HubClient, messageId: string) =>
  (await sender.call('get_receipts', { messageId })).deliveries[0]?.state;

describe('a call', () => {
  it('returns the structured result', async () => {
    const { ann } = await pair('call');
    const sent = await ann.call('send_message', { target: 'ben', content: 'hi' });
    expect(sent.recipients).toMatchObject([{ id: 'ben', state: 'pending' }]);
  });

  it('takes a Msg where content is due, and sends its blocks', async () => {
    const { ann, ben } = await pair('msg');
    const content = [TextBlock.of('one'), ToolUseBlock.of('c', 'f', { a: 1 })];
    const msg = Msg.builder().name('somebody').content(content).build();
    await ann.call('send_message', { target: 'ben', content: msg });
    await ann.call('create_thread', { title: 'Plan', participants: ['ben'], initialMessage: msg });
    const { messages } = await ben.getMessages();
    const received = messages.filter(({ sender }) => sender === 'ann').map((message) => Msg.fromJSON(message));
    expect(received.map((each) => [each.getName(), each.getContent()])).toEqual([
      ['ann', content],
      ['ann', content],
    ]);
  });

  it('throws the hub’s refusal, with its hint', async () => {
    const { ann } = await pair('refused');
    const refused = await ann.call('send_message', { target: 'bne', content: 'hi' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HubError);
    expect(refused).toMatchObject({ code: 'TARGET_UNKNOWN', hint: expect.stringContaining('ben') });
  });

  it('throws HUB_UNREACHABLE where nobody answers, and says that nothing was done', async () => {
    const gone = await startHubInProcess();
    await gone.stop();
    const nobody = new HubClient({ url: gone.url, agent: 'ann' });
    await expect(nobody.call('list_agents', {})).rejects.toMatchObject({
      code: 'HUB_UNREACHABLE',
      details: { outcome: 'not_sent' },
    });
  });

  it('can be given up', async () => {
    const { ben } = await pair('given-up');
    const abort = new AbortController();
    const waiting = ben.waitForMentions({ timeoutMs: 60_000 }, { signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
  });
});

describe('messages taken by a program', () => {
  it('are read with its next call', async () => {
    const { ann, ben } = await pair('next');
    const first = await ann.call('send_message', { target: 'ben', content: 'one' });
    expect((await ben.waitForMentions()).messages).toMatchObject([{ id: first.messageId }]);
    expect(await stateOf(ann, first.messageId)).toBe('delivered');
    const second = await ann.call('send_message', { target: 'ben', content: 'two' });
    expect((await ben.getMessages()).messages).toMatchObject([{ id: second.messageId }]);
    expect(await stateOf(ann, first.messageId)).toBe('read');
    expect(await stateOf(ann, second.messageId)).toBe('delivered');
    await ben.ack();
    expect(await stateOf(ann, second.messageId)).toBe('read');
  });

  it('come again, marked, when it gives them back', async () => {
    const { ann, ben } = await pair('back');
    await ann.call('send_message', { target: 'ben', content: 'one' });
    await ben.getMessages();
    await ben.release();
    expect((await ben.getMessages()).messages).toMatchObject([{ redelivered: true }]);
  });

  it('are all acknowledged when two calls ran at once', async () => {
    const { ann, ben } = await pair('both');
    const sent = await Promise.all(
      ['one', 'two'].map((content) => ann.call('send_message', { target: 'ben', content })),
    );
    await Promise.all([ben.getMessages({ limit: 1 }), ben.getMessages({ limit: 1 })]);
    expect((await ben.getMessages()).messages).toEqual([]);
    for (const { messageId } of sent) expect(await stateOf(ann, messageId)).toBe('read');
  });

  it('stay unread when it only looks', async () => {
    const { ann, ben } = await pair('look');
    await ann.call('send_message', { target: 'ben', content: 'one' });
    expect((await ben.getMessages({ markAsRead: false })).messages).toHaveLength(1);
    expect((await ben.getMessages()).messages).toHaveLength(1);
  });
});

it('waits ten minutes in one call', async () => {
  const fast = await startHubInProcess({ clock: fastClock(500) });
  const requests: string[] = [];
  const ben = new HubClient({
    url: fast.url,
    agent: 'ben',
    async post({ url, headers, body }) {
      requests.push(body);
      const response = await fetch(url, { method: 'POST', headers, body });
      return { status: response.status, body: await response.text() };
    },
  });
  const got = await ben.waitForMentions({ timeoutMs: 600_000 });
  expect(got).toMatchObject({ messages: [], timedOut: true });
  expect(got.waitedMs).toBeGreaterThanOrEqual(600_000);
  const askedMs = requests.map((body): number => JSON.parse(body).timeoutMs);
  expect(Math.max(...askedMs)).toBeLessThan(120_000);
  expect(askedMs.reduce((sum, ms) => sum + ms, 0)).toBe(600_000);
});
