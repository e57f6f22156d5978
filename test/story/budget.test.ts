// What a model reads has a bound: pages within it, long bodies in parts. Nothing is taken unseen.
import { beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '../support/count-tokens.js';
import { call, post } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { connectMcp, type McpClient, type ToolAnswer } from '../support/mcp-clients.js';
import { connectStdio } from '../bridge/stdio-clients.js';
import { useHub } from '../support/use-hub.js';

const tokensMax = 8_000;

const hub = useHub();

function expectWithin(answer: ToolAnswer, tokens = tokensMax): void {
  expect(answer.isError).toBe(false);
  expect(countTokens(answer.text)).toBeLessThanOrEqual(tokens);
  expect(countTokens(JSON.stringify(answer.structured))).toBeLessThanOrEqual(tokens);
}

const connect = (session: string, agent = 'ben') =>
  connectMcp('v2 2026', `${hub.url}/mcp?agent=${agent}&session=${session}`);

const sentence = 'The nightly run of suite 7 failed in "leases": expected 3 copies, got 2. ';

async function sendMany(session: string, count: number, bodyOf: (index: number) => string): Promise<void> {
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { agent: 'ann', session });
  const indexes = Array.from({ length: count }, (_, index) => index);
  // One after another within each lane of the inbox, so that the order is known.
  for (const index of indexes) {
    await call(hub.url, 'send_message', { target: 'ben', message: bodyOf(index) }, { agent: 'ann', session });
  }
}

const body = (index: number) => `${index} ${sentence.repeat(14)}`.slice(0, 1_024);
const numberOf = (message: { content: { text: string }[] }) => Number(message.content[0]?.text.split(' ')[0]);

interface Page {
  answer: ToolAnswer;
  numbers: number[];
}

async function drain(next: (page: Page | undefined) => Promise<ToolAnswer>): Promise<Page[]> {
  const pages: Page[] = [];
  for (;;) {
    const answer = await next(pages.at(-1));
    const numbers = answer.structured.messages.map(numberOf);
    pages.push({ answer, numbers });
    if (answer.structured.hasMore === false) return pages;
    expect(numbers.length).toBeGreaterThan(0);
  }
}

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

  it('are leased no further than they are shown, and come by hand as well', async () => {
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
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { agent: 'ann', session });
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
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { agent: 'ann', session });
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

describe('lists', () => {
  it('of agents and threads come in pages, and long ones inside a result end early and say so', async () => {
    const session = 'crowd';
    const ids = Array.from({ length: 300 }, (_, index) => `agent-${String(index).padStart(3, '0')}`);
    const description = 'Reviews pull requests and answers questions about the build. '.repeat(3);
    for (const agentId of ids) await call(hub.url, 'register_agent', { agentId, description }, { session });
    const as = { agent: ids[0] ?? '', session };
    for (const title of ['one', 'two', 'three']) {
      await call(hub.url, 'create_thread', { title, participants: ids }, as);
    }
    const client = await connect(session, ids[0]);
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.call('list_agents', cursor === undefined ? {} : { cursor });
      expectWithin(page);
      listed.push(...page.structured.agents.map(({ id }: { id: string }) => id));
      expect(page.structured.hasMore ?? false).toBe(page.structured.cursor !== undefined);
      ({ cursor } = page.structured);
    } while (cursor !== undefined);
    expect(listed).toEqual(ids);

    const threads = await client.call('list_threads', {});
    expectWithin(threads);
    expect(threads.structured.threads).toMatchObject(Array.from({ length: 3 }, () => ({ moreParticipants: 280 })));
    expect(threads.text).toContain('300 participants');

    const sent = await client.call('send_message', { target: 'all', message: 'hello' });
    expectWithin(sent);
    const { recipients, leftOut } = sent.structured;
    expect(recipients.length + leftOut.recipients).toBe(299);
    expect(sent.text).toContain(`Left out to stay short: ${leftOut.recipients} of recipients`);
    const whole = await call(hub.url, 'send_message', { target: 'all', message: 'hello' }, as);
    expect(whole.recipients).toHaveLength(299);
    await client.close();
  }, 60_000);
});

describe('the setting', () => {
  it('bounds what the hub answers, and a header asks for it over HTTP', async () => {
    const small = await startHubProcess({ args: ['--result-tokens', '1000'] });
    await call(small.url, 'register_agent', { agentId: 'ben' }, { agent: 'ann' });
    for (let index = 0; index < 10; index += 1) {
      await call(small.url, 'send_message', { target: 'ben', message: body(index) }, { agent: 'ann' });
    }
    const client = await connectMcp('v1', `${small.url}/mcp?agent=ben`);
    const pages = await drain(() => client.call('get_messages', {}));
    for (const { answer } of pages) expectWithin(answer, 1_000);
    expect(pages.flatMap(({ numbers }) => numbers)).toEqual(Array.from({ length: 10 }, (_, index) => index));
    await client.close();
    const refused = await fetch(`${small.url}/v1/get_messages`, {
      method: 'POST',
      headers: { 'coterie-agent': 'ben', 'coterie-result-tokens': '12' },
      body: '{}',
    });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('coterie-result-tokens');
  });
});

it('dead letters come in pages within the budget, each once; one too long for any is cut', async () => {
  const session = 'dead';
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { agent: 'ben', session });
  const lost = (message: string) =>
    post(hub.url, 'send_message', { target: 'no-one', message }, { agent: 'ben', session });
  for (let index = 0; index < 20; index++) await lost(`${index} ${sentence.repeat(40)}`);
  await lost(`20 ${sentence.repeat(1_000)}`);
  const client = await connect(session);
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const page: ToolAnswer = await client.call('get_dead_letters', {
      limit: 50,
      ...(cursor === null ? {} : { cursor }),
    });
    expectWithin(page);
    seen.push(...page.structured.deadLetters.map(({ message }: { message: never }) => numberOf(message)));
    ({ cursor } = page.structured);
  } while (cursor !== null);
  expect(seen).toEqual(Array.from({ length: 21 }, (_, index) => 20 - index));
  await client.close();
});

describe('three hundred short messages', () => {
  const session = 'short';
  const count = 300;
  let threadId: string;
  beforeAll(async () => {
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { agent: 'ben', session });
    await call(hub.url, 'set_notify_prefs', { muteKinds: ['created'] }, { agent: 'ben', session });
    const as = { agent: 'ann', session };
    ({ threadId } = await call(hub.url, 'create_thread', { title: 'Short', participants: ['ben'] }, as));
    for (let index = 0; index < count; index++) {
      await call(
        hub.url,
        'send_message',
        { threadId, content: `${index} ${sentence.slice(0, 20 + (index % 50))}` },
        as,
      );
    }
  });
  const all = Array.from({ length: count }, (_, index) => index);

  async function pages(operation: string, input: Record<string, unknown>, place: string): Promise<number[][]> {
    const client = await connect(session);
    const seen: number[][] = [];
    let cursor: string | undefined;
    for (;;) {
      const at = cursor === undefined ? {} : { [place]: cursor };
      const page = await client.call(operation, { limit: 300, ...input, ...at });
      expectWithin(page);
      seen.push(page.structured.messages.map(numberOf));
      if (page.structured.hasMore === false) break;
      expect(page.text).toContain(page.structured.cursor);
      ({ cursor } = page.structured);
    }
    await client.close();
    return seen;
  }

  it('can be looked at page by page without taking any', async () => {
    const seen = await pages('get_messages', { markAsRead: false }, 'cursor');
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.flat()).toEqual(all);
  });

  it('are read back from the newest, and from the first, in a thread', async () => {
    const back = await pages('get_thread', { threadId }, 'before');
    expect(back.toReversed().flat()).toEqual(all);
    const on = await pages('get_thread', { threadId, after: 0 }, 'after');
    expect(on.flat()).toEqual(all);
  });
});

it('of a crowd in a group a model sees the first and how many more there are', async () => {
  const session = 'crowd';
  const members = Array.from({ length: 300 }, (_, index) => `worker-${index}`);
  await call(hub.url, 'set_group', { name: 'workers', members }, { agent: 'ben', session });
  const client = await connect(session);
  const listed = await client.call('list_groups', {});
  expectWithin(listed, 2_000);
  const group = listed.structured.groups.find(({ name }: { name: string }) => name === 'workers');
  expect(group).toMatchObject({ members: members.slice(0, 20), moreMembers: 280 });
  await client.close();
});
