// Lists that a model reads come in pages within its budget, or say how much they leave out.
import { beforeAll, describe, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { connectMcp, type ToolAnswer } from '../support/mcp-clients.js';
import { hub, expectWithin, connect, sentence, body, numberOf, drain } from './budget-hub.js';

describe('lists', () => {
  it(
    'of agents and threads come in pages, and long ones inside a result end early and say so',
    { tags: ['long'], timeout: 120_000 },
    async () => {
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
    },
  );
});

describe('the setting', () => {
  it('bounds what the hub answers, and a header asks for it over HTTP', async () => {
    const small = await startHubInProcess({ args: ['--result-tokens', '1000'] });
    await call(small.url, 'register_agent', { agentId: 'ben' });
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
