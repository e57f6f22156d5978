// The whole session in order, from any place on, as far as the caller may read it.
import { beforeAll, describe, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { connectMcp } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
const as = (agent: string) => ({ agent });
const texts = (page: { messages: { content: { text: string }[] }[] }) =>
  page.messages.map(({ content }) => content[0]?.text);
let threadId: string;
let ids: string[];

const read = (input: object = {}) => call(hub.url, 'get_session_history', input, as('me'));

beforeAll(async () => {
  for (const agent of ['ann', 'ben']) await call(hub.url, 'register_agent', {}, as(agent));
  ({ threadId } = await call(hub.url, 'create_thread', { title: 'Plan', participants: ['ben'] }, as('ann')));
  const one = await call(hub.url, 'send_message', { threadId, content: 'one' }, as('ann'));
  const two = await call(hub.url, 'send_message', { to: 'ann', content: 'two' }, as('ben'));
  const three = await call(hub.url, 'send_message', { threadId, content: 'three' }, as('ben'));
  ids = [one, two, three].map(({ messageId }) => messageId);
});

describe('get_session_history', () => {
  it('has every message in order, with who got it and the title of its thread', async () => {
    const page = await read();
    expect(texts(page).slice(-3)).toEqual(['one', 'two', 'three']);
    expect(page).toMatchObject({ threads: [{ threadId, title: 'Plan' }], hasMore: false });
    expect(page.last).toBe(page.messages.at(-1).seq);
    const [one, two, three] = page.messages.slice(-3);
    expect(one).toMatchObject({ id: ids[0], sender: 'ann', threadId, recipients: ['ben'] });
    expect(two).toMatchObject({ id: ids[1], sender: 'ben', target: 'ann', recipients: ['ann'] });
    expect(three).toMatchObject({ recipients: ['ann'] });
  });

  it('is read on from a message, a seq or a cursor', async () => {
    const first = await read({ after: ids[0], limit: 1 });
    expect(texts(first)).toEqual(['two']);
    expect(first.hasMore).toBe(true);
    const rest = await read({ after: first.cursor });
    expect(texts(rest)).toEqual(['three']);
    expect(rest.hasMore).toBe(false);
    expect(texts(await read({ after: rest.messages[0].seq - 1 }))).toEqual(['three']);
    expect(texts(await read({ after: rest.cursor }))).toEqual([]);
  });

  it('refuses a position that is none, and too large a page', async () => {
    for (const input of [{ after: 'nowhere' }, { after: -1 }, { limit: 101 }]) {
      const { status, body } = await post(hub.url, 'get_session_history', input, as('me'));
      expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
    }
  });

  it('fits the budget of a model, which reads on with the cursor', async () => {
    const long = 'word '.repeat(12_000);
    for (let sent = 0; sent < 3; sent += 1) await call(hub.url, 'send_message', { threadId, content: long }, as('ann'));
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&tools=all`);
    const { structured, text } = await client.call('get_session_history', { after: ids[2] });
    expect(structured.messages).toHaveLength(1);
    expect(structured.hasMore).toBe(true);
    expect(text).toContain(`get_session_history with after "${structured.cursor}"`);
    const next = (await client.call('get_session_history', { after: structured.cursor })).structured;
    expect(next.messages[0].seq).toBe(structured.messages[0].seq + 1);
  });
});
