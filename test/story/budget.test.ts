// What a model reads has a bound: pages within it, long bodies in parts. Nothing is taken unseen.
import { describe, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import type { McpClient } from '../support/mcp-clients.js';
import { connectStdio } from '../bridge/stdio-clients.js';
import { hub, expectWithin, connect, sendMany, body, numberOf, drain, type Page } from './budget-hub.js';

describe('five hundred unread messages of 1 KB', () => {
  const count = 500;
  const all = Array.from({ length: count }, (_, index) => index);

  it('come in pages within the budget, each once, in order', async () => {
    await sendMany('many', count, body);
    const client = await connect('many');
    const pages = await drain(() => client.call('get_messages', { limit: 500 }));
    for (const { answer } of pages) expectWithin(answer);
    expect(pages.flatMap(({ numbers }) => numbers)).toEqual(all);
    expect(pages.length).toBeLessThan(60);
    expect(pages.flatMap(({ answer }) => answer.structured.messages).some((message) => message.redelivered)).toBe(
      false,
    );
    expect((await client.call('wait_for_mentions', { timeoutMs: 0 })).structured.timedOut).toBe(true);
    await client.close();
  });

  it('are leased no further than they are shown, and come by hand as well', { tags: ['long'] }, async () => {
    await sendMany('manual', count, body);
    const client = await connect('manual');
    const first = await client.call('wait_for_mentions', { limit: 500, ack: 'manual' });
    const shown = first.structured.messages.length;
    expect(first.structured).toMatchObject({ hasMore: true, unread: count - shown });
    const look = await call(
      hub.url,
      'get_messages',
      { markAsRead: false, limit: 500 },
      { agent: 'ben', session: 'manual' },
    );
    expect(look.messages.map(numberOf)).toEqual(all.slice(shown));

    const pages = await drain((page) => {
      const { cursor } = page?.answer.structured ?? first.structured;
      return client.call('wait_for_mentions', { limit: 500, ack: 'manual', cursor });
    });
    for (const { answer } of pages) expectWithin(answer);
    expect([...first.structured.messages.map(numberOf), ...pages.flatMap(({ numbers }) => numbers)]).toEqual(all);
    const last = pages.at(-1)?.answer.structured.cursor;
    const acked = await client.call('ack_messages', { cursor: last });
    expect(acked.structured.acknowledged).toHaveLength(pages.at(-1)?.numbers.length ?? 0);
    const left = await client.call('get_messages', {});
    expect(left.structured).toMatchObject({ messages: [], hasMore: false });
    await client.close();
  });

  it('can be looked at page by page, and again afterwards, newest page first', async () => {
    await sendMany('look', 60, body);
    const client = await connect('look');
    const peeked = await drain((page) =>
      client.call('get_messages', { markAsRead: false, limit: 500, ...cursorOf(page) }),
    );
    for (const { answer } of peeked) expectWithin(answer);
    expect(peeked.flatMap(({ numbers }) => numbers)).toEqual(all.slice(0, 60));
    const recent = await drain((page) =>
      client.call('get_messages', { include: 'recent', limit: 100, ...cursorOf(page) }),
    );
    for (const { answer } of recent) expectWithin(answer);
    expect(recent.length).toBeGreaterThan(1);
    expect(recent.toReversed().flatMap(({ numbers }) => numbers)).toEqual(all.slice(0, 60));
    await client.close();
  });

  it('are all there at once for a program', async () => {
    await sendMany('program', 100, body);
    const { messages, hasMore } = await call(
      hub.url,
      'get_messages',
      { limit: 500 },
      { agent: 'ben', session: 'program' },
    );
    expect(messages.map(numberOf)).toEqual(all.slice(0, 100));
    expect(hasMore).toBe(false);
  });
});

const cursorOf = (page: Page | undefined) => (page === undefined ? {} : { cursor: page.answer.structured.cursor });

describe('a message of 200 KB', () => {
  // No part of it is like another, and some of its characters are two units long.
  const long = Array.from({ length: 4_000 }, (_, line) => `line ${line}: "done" & <checked> 🚀 it’s fine`)
    .join('\n')
    .slice(0, 200 * 1024 - 20_000);

  async function readOn(
    client: McpClient,
    message: { id: string; content: { text: string }[]; cut: { to: number } },
  ): Promise<string> {
    let text = message.content[0]?.text ?? '';
    for (let to: number = message.cut.to; ;) {
      const answer = await client.call('get_messages', { messageId: message.id, offset: to });
      expectWithin(answer);
      const [part] = answer.structured.messages;
      expect(part.cut).toMatchObject({ from: to, of: long.length });
      text += part.content[0].text;
      if (!answer.structured.hasMore) return text;
      to = part.cut.to;
    }
  }

  it('comes alone, cut within the budget, with the call that reads on; the parts make up the whole', async () => {
    await sendMany('long', 3, (index) => (index === 1 ? long : `${index} short`));
    const client = await connect('long');
    expect((await client.call('get_messages', {})).structured).toMatchObject({ messages: [{ seq: 1 }], hasMore: true });
    const got = await client.call('get_messages', {});
    expectWithin(got);
    const [message, ...others] = got.structured.messages;
    expect(others).toEqual([]);
    expect(got.structured.hasMore).toBe(true);
    const { to } = message.cut;
    const next = `get_messages {"messageId":"${message.id}","offset":${to}}`;
    expect(message.cut).toEqual({ from: 0, to, of: long.length, next });
    expect(got.text).toContain(`<content part="0-${to} of ${long.length}">`);
    expect(got.text).toContain(`Read on: ${next}`);
    expect(await readOn(client, message)).toBe(long);
    // Reading on takes nothing from the inbox.
    expect((await client.call('get_messages', {})).structured.messages.map(numberOf)).toEqual([2]);
    await client.close();
  });

  it('is cut in the thread too, and in the compact view', async () => {
    const session = 'long-thread';
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
    await call(hub.url, 'set_notify_prefs', { muteKinds: ['created'] }, { agent: 'ben', session });
    const as = { agent: 'ann', session };
    const { threadId } = await call(hub.url, 'create_thread', { title: 'T', participants: ['ben'] }, as);
    for (const content of ['before', long, 'after']) await call(hub.url, 'send_message', { threadId, content }, as);
    const client = await connect(session);
    const seen: string[] = [];
    let place: Record<string, string> = {};
    for (let hasMore = true; hasMore;) {
      const page = await client.call('get_thread', { threadId, view: 'compact', ...place });
      expectWithin(page);
      seen.unshift(...page.structured.messages.map(({ content }: { content: { text: string }[] }) => content[0]?.text));
      ({ hasMore } = page.structured);
      place = { before: page.structured.cursor };
    }
    expect(seen).toEqual(['before', expect.any(String), 'after']);
    expect(long.startsWith(seen[1] ?? '-')).toBe(true);
    await client.close();
  });

  it('is whole for a program, in an inbox and by its id', async () => {
    await sendMany('long-http', 1, () => long);
    const as = { agent: 'ben', session: 'long-http' };
    const { messages } = await call(hub.url, 'get_messages', {}, as);
    expect(messages[0].content).toEqual([{ type: 'text', text: long }]);
    const again = await call(hub.url, 'get_messages', { messageId: messages[0].id }, as);
    expect(again.messages[0].content).toEqual([{ type: 'text', text: long }]);
    const rest = await call(hub.url, 'get_messages', { messageId: messages[0].id, offset: long.length - 5 }, as);
    expect(rest.messages[0].content[0].text).toBe(long.slice(-5));
    const { status, body: refusal } = await post(hub.url, 'get_messages', { messageId: 'ma9zzz' }, as);
    expect({ status, code: refusal.error.code }).toEqual({ status: 404, code: 'MESSAGE_UNKNOWN' });
  });

  it('is cut by the stdio bridge as well, which takes pages of its own bound', async () => {
    await sendMany('stdio', 30, (index) => (index === 0 ? `0 ${long}` : body(index)));
    const args = [...hub.flags, '--agent', 'ben', '--session', 'stdio', '--result-tokens', '3000'];
    const client = await connectStdio('v2 2025', args);
    const pages = await drain(() => client.call('get_messages', {}));
    for (const { answer } of pages) expectWithin(answer, 3_000);
    expect(pages[0]?.answer.structured.messages[0].cut).toMatchObject({ from: 0, of: long.length + 2 });
    expect(pages.flatMap(({ numbers }) => numbers)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    await client.close();
  });

  it('may be long for its payload: that is cut like the text', async () => {
    const session = 'payload';
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
    const payload = { rows: Array.from({ length: 2_000 }, (_, row) => `row ${row}`) };
    await call(hub.url, 'send_message', { target: 'ben', message: 'see rows', payload }, { agent: 'ann', session });
    const client = await connect(session);
    const got = await client.call('get_messages', {});
    expectWithin(got);
    const [message] = got.structured.messages;
    expect(message).not.toHaveProperty('payload');
    expect(message.content[0].text).toMatch(/^see rows\n\[payload\] \{"rows":\["row 0",/);
    expect(message.cut.next).toContain(message.id);
    await client.close();
  });
});
