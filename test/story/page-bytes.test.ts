// Every list that shows messages ends a page at a number of bytes, says that there is more, and goes on from its cursor.
import { beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../dist/contract/index.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
const count = 20;
const text = `needle ${'x'.repeat(240_000)}`;
/** Of one page: as many as fit in it. */
const pageMax = Math.floor(limits.pageBytes / text.length);
const as = (agent: string) => ({ agent });
let threadId = '';
let sent: string[] = [];

beforeAll(async () => {
  for (const agentId of ['ann', 'ben', 'cay']) await call(hub.url, 'register_agent', { agentId }, as(agentId));
  ({ threadId } = await call(hub.url, 'create_thread', { title: 'Long', participants: ['ben', 'cay'] }, as('ann')));
  sent = [];
  for (let index = 0; index < count; index += 1) {
    const mentions = index % 2 === 0 ? ['ben'] : [];
    const { messageId } = await call(hub.url, 'send_message', { threadId, content: text, mentions }, as('ann'));
    sent.push(messageId);
  }
});

type Fields = Record<string, unknown>;
interface Page {
  ids: string[];
  hasMore: boolean;
  next: Fields;
}

/** Reads page after page. */
async function readAll(read: (next: Fields) => Promise<Page>): Promise<string[]> {
  const all: string[] = [];
  for (let page = await read({}), pages = 1; ; page = await read(page.next), pages += 1) {
    expect(page.ids.length).toBeLessThanOrEqual(pageMax);
    all.push(...page.ids);
    if (!page.hasMore) return all;
    expect(page.ids.length).toBeGreaterThan(0);
    expect(pages).toBeLessThan(count);
  }
}

interface Listed {
  messages: { id: string; sender: string }[];
  hasMore: boolean;
  cursor: string | null;
}

const idsOf = ({ messages }: Listed) => messages.filter(({ sender }) => sender === 'ann').map(({ id }) => id);
const pageOf = (listed: Listed, cursorName = 'cursor'): Page => ({
  ids: idsOf(listed),
  hasMore: listed.hasMore,
  next: listed.cursor === null ? {} : { [cursorName]: listed.cursor },
});

describe('pages end at a number of bytes', () => {
  const lists: Record<string, (next: Fields) => Promise<Page>> = {
    'get_thread from its beginning': async (next) =>
      pageOf(await call(hub.url, 'get_thread', { threadId, after: 0, limit: 500, ...next }, as('ann')), 'after'),
    'get_thread from its end': async (next) =>
      pageOf(await call(hub.url, 'get_thread', { threadId, limit: 500, ...next }, as('ann')), 'before'),
    get_sent_messages: async (next) =>
      pageOf(await call(hub.url, 'get_sent_messages', { limit: 50, ...next }, as('ann'))),
    query_message_history: async (next) =>
      pageOf(await call(hub.url, 'query_message_history', { threadId, limit: 100, ...next }, as('ann'))),
    'query_message_history with a status': async (next) =>
      pageOf(await call(hub.url, 'query_message_history', { threadId, status: 'pending', ...next }, as('ann'))),
    search_messages: async (next) =>
      pageOf(await call(hub.url, 'search_messages', { query: 'needle', limit: 50, ...next }, as('ann'))),
    'get_messages that peeks': async (next) =>
      pageOf(await call(hub.url, 'get_messages', { markAsRead: false, limit: 500, ...next }, as('ben'))),
    'get_messages of recent ones': async (next) =>
      pageOf(await call(hub.url, 'get_messages', { include: 'recent', limit: 500, ...next }, as('ben'))),
    'get_messages that takes': async () =>
      pageOf(await call(hub.url, 'get_messages', { limit: 500, ack: 'manual' }, as('ben'))),
    wait_for_mentions: async () =>
      pageOf(
        await call(hub.url, 'wait_for_mentions', { for: 'all', limit: 500, ack: 'manual', timeoutMs: 0 }, as('cay')),
      ),
  };

  it.each(Object.entries(lists))('%s', async (_, read) => {
    expect((await readAll(read)).toSorted()).toEqual(sent.toSorted());
  });
});

it('dead letters, responses and an export have pages of a number of bytes, too', async () => {
  const gone = { target: 'nobody', content: text };
  for (let index = 0; index < pageMax + 2; index += 1)
    await call(hub.url, 'send_message', gone, as('ann')).catch(() => {});
  const letters = await readAll(async (next) => {
    const { deadLetters, hasMore, cursor } = await call(hub.url, 'get_dead_letters', { limit: 50, ...next }, as('ann'));
    return { ids: deadLetters.map(({ id }: { id: string }) => id), hasMore, next: { cursor } };
  });
  expect(new Set(letters).size).toBe(pageMax + 2);

  let [lines, next]: [string, Fields] = ['', {}];
  for (;;) {
    const page = await call(hub.url, 'export_session', next);
    expect(page.lines.length).toBeLessThan(2 * limits.pageBytes);
    lines += page.lines;
    if (!page.hasMore) break;
    next = { cursor: page.cursor };
  }
  expect(lines.split('\n').filter((line) => line.includes('"kind":"message"')).length).toBeGreaterThan(count + pageMax);
});

it('responses that do not fit are counted, and stay unread', async () => {
  const participants = Array.from({ length: pageMax + 2 }, (_, index) => `r${index}`);
  for (const agentId of participants) await call(hub.url, 'register_agent', { agentId }, as(agentId));
  const opened = { title: 'Ask', participants, message: 'Please answer.', waitForResponses: participants.length };
  const waited = call(hub.url, 'create_critical_thread', { ...opened, timeoutMs: 60_000 }, as('ann'));
  for (const agent of participants) {
    const { messages } = await call(hub.url, 'wait_for_mentions', { timeoutMs: 30_000 }, as(agent));
    await call(hub.url, 'send_message', { threadId: messages[0].threadId, content: text }, as(agent));
  }
  const { responses, complete, leftOut } = await waited;
  expect([responses.length, complete, leftOut]).toEqual([pageMax, true, { responses: 2 }]);
});
