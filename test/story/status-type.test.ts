// A type that the sender gave is shown to every reader, STATUS included; a post without one shows none.
import { describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

/** ann posts, then reports a status, in a thread and to ben alone. */
async function talk(url: string, session: string): Promise<string> {
  const as = { agent: 'ann', session };
  await call(url, 'register_agent', { agentId: 'ben' }, { session });
  await call(url, 'set_notify_prefs', { muteKinds: ['created'] }, { agent: 'ben', session });
  const { threadId } = await call(url, 'create_thread', { title: 'T', participants: ['ben'] }, as);
  await call(url, 'send_message', { threadId, content: 'untyped post' }, as);
  await call(url, 'send_message', { threadId, content: 'status post', message_type: 'STATUS' }, as);
  await call(url, 'send_message', { target: 'ben', message: 'untyped direct' }, as);
  await call(url, 'send_message', { target: 'ben', message: 'status direct', message_type: 'STATUS' }, as);
  return threadId;
}

type Shown = { type?: string; content: { text?: string }[] }[];
const typesIn = (messages: Shown) =>
  Object.fromEntries(messages.map(({ type, content }) => [content[0]?.text, type ?? null]));
const posts = { 'untyped post': null, 'status post': 'STATUS' };
const all = { ...posts, 'untyped direct': null, 'status direct': 'STATUS' };

it('structured: inbox, thread, outbox, history, search, receipts and the second look', async () => {
  const session = 'structured';
  const threadId = await talk(hub.url, session);
  const read = async (operation: string, input: object, agent: string) =>
    typesIn((await call(hub.url, operation, input, { agent, session })).messages);
  expect(await read('get_thread', { threadId }, 'ben')).toEqual(posts);
  expect(await read('get_messages', {}, 'ben')).toEqual(all);
  expect(await read('get_messages', { include: 'recent' }, 'ben')).toEqual(all);
  expect(await read('get_sent_messages', {}, 'ann')).toEqual(all);
  expect(await read('query_message_history', { source: 'ann' }, 'ann')).toEqual(all);
  expect(await read('search_messages', { query: 'post' }, 'ben')).toEqual(posts);
});

it('a filter by STATUS still finds untyped posts too', async () => {
  const session = 'filtered';
  await talk(hub.url, session);
  const found = await call(
    hub.url,
    'get_messages',
    { message_type: 'STATUS', markAsRead: false },
    { agent: 'ben', session },
  );
  expect(typesIn(found.messages)).toEqual({ ...posts, 'status direct': 'STATUS' });
});

describe.each(generations)('as text, over MCP with %s', (generation) => {
  it.each([
    ['full', /type="STATUS"/g],
    ['compact', /type='STATUS'/g],
  ])('in the %s view, only where it was given', async (view, shown) => {
    const session = `text-${generation.replaceAll(' ', '-')}-${view}`;
    const threadId = await talk(hub.url, session);
    const ben = await connectMcp(generation, `${hub.url}/mcp?agent=ben&session=${session}`);
    const thread = await ben.call('get_thread', { threadId, view });
    expect(thread.text.match(shown)).toHaveLength(1);
    const inbox = await ben.call('get_messages', { view });
    expect(inbox.text.match(shown)).toHaveLength(2);
    expect(inbox.text).toContain('untyped post');
    await ben.close();
  });
});

it('after a restart of the hub', async () => {
  const own = await startHubInProcess();
  const threadId = await talk(own.url, 'kept');
  await own.stop();
  const again = await startHubInProcess({ data: own.data });
  const thread = await call(again.url, 'get_thread', { threadId }, { agent: 'ben', session: 'kept' });
  expect(typesIn(thread.messages)).toEqual(posts);
});
