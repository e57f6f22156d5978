// What a reader is told to do next stands in the text and in the structured result alike.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pixel } from '../support/every-block.js';
import { call } from '../support/http-call.js';
import { connectMcp, type McpClient, type ToolAnswer } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const as = (agent: string, session: string) => (operation: string, input: object) =>
  call(hub.url, operation, input, { agent, session });

async function team(session: string): Promise<{ ann: ReturnType<typeof as>; ben: McpClient }> {
  for (const agentId of ['ann', 'ben', 'cas']) {
    await call(hub.url, 'register_agent', { agentId }, { session });
    await call(hub.url, 'set_notify_prefs', { muteKinds: ['created'] }, { agent: agentId, session });
  }
  return {
    ann: as('ann', session),
    ben: await connectMcp('v2 2026', `${hub.url}/mcp?agent=ben&session=${session}&tools=all`),
  };
}

/** The text ends with it, sentence by sentence; only the unread count may follow. */
function expectNext({ text, structured }: ToolAnswer, next: RegExp): void {
  expect(structured.next).toMatch(next);
  expect(
    text
      .replace(/\nunread: \d+$/, '')
      .replaceAll('\n', ' ')
      .endsWith(structured.next),
  ).toBe(true);
}

describe('a reader in a critical thread', () => {
  const opened = { title: 'Deploy?', initial_message: 'Shall we?', timeout_ms: 60_000 };

  it('is told who waits for its answer, and until when, until it has answered', async () => {
    const { ann, ben } = await team('awaited');
    const before = Date.now();
    const waiting = ann('create_critical_thread', { ...opened, participants: ['ben', 'cas'], wait_for_responses: 2 });
    const got = await ben.call('wait_for_mentions', { timeoutMs: 5_000 });
    const [{ threadId }] = got.structured.messages;
    const { awaited } = got.structured;
    expect(awaited).toEqual([{ threadId, by: 'ann', until: expect.any(String) }]);
    const leftMs = Date.parse(awaited[0].until) - before;
    expect(leftMs).toBeGreaterThanOrEqual(60_000);
    expect(leftMs).toBeLessThan(70_000);
    expectNext(
      got,
      new RegExp(`^ann waits for your answer in thread ${threadId} until ${awaited[0].until}: .*send_message`),
    );
    const thread = await ben.call('get_thread', { threadId });
    expect(thread.structured.awaited).toEqual(awaited);
    expectNext(thread, /^ann waits for your answer/);
    expect(thread.text).toContain('\nCritical: ');
    await ben.call('send_message', { threadId, content: 'Yes.' });
    const answered = await ben.call('get_thread', { threadId });
    expect(answered.structured).not.toHaveProperty('awaited');
    expect(answered.structured).not.toHaveProperty('next');
    const cas = as('cas', 'awaited');
    expect((await cas('get_messages', { markAsRead: false })).awaited).toMatchObject([{ threadId, by: 'ann' }]);
    await cas('send_message', { threadId, content: 'No.' });
    expect((await cas('get_messages', {})).awaited).toBeUndefined();
    expect((await waiting).complete).toBe(true);
    await ben.close();
  });

  it('is told nothing when no one waits: not at all, or no longer, or not for it', async () => {
    const { ann, ben } = await team('not-awaited');
    await ann('create_critical_thread', { ...opened, participants: ['ben'], wait_for_responses: 0 });
    await ann('create_critical_thread', { ...opened, participants: ['ben'], timeout_ms: 0 }).catch(() => undefined);
    const { threadId } = await ann('create_critical_thread', {
      ...opened,
      participants: ['cas'],
      wait_for_responses: 0,
      required: ['cas'],
    });
    await ann('add_participant', { threadId, participantId: 'ben' });
    await ann('send_message', { threadId, content: 'Ben, for your information.' });
    const got = await ben.call('get_messages', {});
    expect(got.structured.messages.length).toBeGreaterThanOrEqual(3);
    expect(got.structured).not.toHaveProperty('awaited');
    const cas = await as('cas', 'not-awaited')('get_messages', {});
    expect(cas.awaited).toMatchObject([{ threadId, by: 'ann' }]);
    await ben.close();
  });
});

describe('a reader of its inbox', () => {
  let ann: ReturnType<typeof as>;
  let ben: McpClient;
  beforeAll(async () => {
    ({ ann, ben } = await team('inbox'));
  });
  afterAll(() => ben.close());

  it('is told that more is waiting, and how to acknowledge', async () => {
    for (const message of ['one', 'two', 'three']) await ann('send_message', { target: 'ben', message });
    const peeked = await ben.call('get_messages', { markAsRead: false, limit: 1 });
    expectNext(peeked, /^More: call get_messages with the same fields and cursor "\S+"\.$/);
    const first = await ben.call('get_messages', { limit: 1, ack: 'manual' });
    expectNext(first, /^More messages are waiting: call again\. Acknowledge with cursor \S+ in your next call\.$/);
    const rest = await ben.call('get_messages', { cursor: first.structured.cursor });
    expect(rest.structured.messages).toHaveLength(2);
    expect(rest.structured).not.toHaveProperty('next');
  });

  it('sees to which group a message went, and a direct one needs no word of it', async () => {
    await call(hub.url, 'set_group', { name: 'builders', members: ['ben', 'cas'] }, { session: 'inbox' });
    await ann('send_message', { target: 'builders', message: 'to many' });
    await ann('send_message', { target: 'ben', message: 'to one' });
    for (const view of ['full', 'compact']) {
      const { text, structured } = await ben.call('get_messages', { markAsRead: false, view });
      expect(text.match(/ to=["'](\w+)["']/g)?.map((to) => to.slice(5, -1))).toEqual(['builders']);
      expect(structured.messages[0]).toMatchObject({ target: 'builders' });
    }
    await ben.call('get_messages', {});
  });

  it('gets few fields in the compact view, and the same body', async () => {
    const { threadId } = await ann('create_thread', { title: 'T', participants: ['ben'] });
    await ann('send_message', { threadId, content: '@ben read this', priority: 'high', metadata: { a: 1 } });
    const full = await ben.call('get_messages', { markAsRead: false });
    const compact = await ben.call('get_messages', { markAsRead: false, view: 'compact' });
    const [message] = full.structured.messages;
    const { id, seq, sender, content, timestamp } = message;
    expect(compact.structured.messages).toEqual([{ id, seq, threadId, sender, content, timestamp }]);
    expect(compact.structured).not.toHaveProperty('threads');
    const page = await ben.call('get_thread', { threadId, view: 'compact' });
    expect(page.structured.messages).toEqual(compact.structured.messages);
    await ben.call('get_messages', {});
  });

  it('reads in the text what else the structured result has of a message', async () => {
    const extra = { metadata: { build: '<7>' }, ttl: 60, role: 'USER', payload: { ok: true }, context: 'CI' };
    const { messageId } = await ann('send_message', { target: 'ben', content: 'look', ...extra });
    const { structured, text } = await ben.call('get_messages', {});
    const [message] = structured.messages;
    expect(message).toMatchObject({ id: messageId, metadata: extra.metadata, role: 'USER', payload: { ok: true } });
    expect(text).toContain(`role="USER" expiresAt="${Date.parse(message.expiresAt)}">`);
    expect(text).toContain('<metadata>{&quot;build&quot;:&quot;&lt;7&gt;&quot;}</metadata>');
    const last = await ben.call('get_messages', { include: 'recent', limit: 1 });
    expect(last.structured.messages).toMatchObject([{ id: messageId, state: expect.any(String) }]);
    expect(last.text).toContain(` state="${last.structured.messages[0].state}">`);
  });

  it('is told how attachments are fetched, unless it sees them', async () => {
    const blockOf = (type: string, mediaType: string) => [{ type, source: { type: 'base64', mediaType, data: pixel } }];
    await ann('send_message', { target: 'ben', content: blockOf('image', 'image/png') });
    const seen = await ben.call('get_messages', {});
    expect(seen.content).toHaveLength(3);
    expect(seen.structured).not.toHaveProperty('next');
    expect(seen.text).not.toContain('get_attachment');
    await ann('send_message', { target: 'ben', content: blockOf('video', 'video/mp4') });
    const unseen = await ben.call('get_messages', {});
    expect(unseen.text).toContain('get_attachment {&quot;messageId&quot;');
    expectNext(unseen, /^Attachments that are not shown are fetched with get_attachment\.$/);
  });

  it('is told how to go on in every list that has a next page', async () => {
    const titles = ['A', 'B'];
    for (const title of titles) {
      const { threadId } = await ann('create_thread', { title, participants: ['ben'] });
      for (const content of ['a nice word', 'a nice one']) await ann('send_message', { threadId, content });
    }
    const threads = await ben.call('list_threads', { limit: 1 });
    expectNext(threads, /^More: call list_threads with the same fields and cursor "\S+"$/);
    expect(threads.text).toMatch(/^t\d+ "B" open, by ann, 2 participants/);
    const [{ threadId }] = threads.structured.threads;
    expectNext(await ben.call('get_thread', { threadId, limit: 1 }), /^More: call get_thread with before "\S+"$/);
    for (const [operation, input] of [
      ['search_messages', { query: 'nice' }],
      ['query_message_history', { threadId }],
      ['get_sent_messages', { source: 'ann' }],
    ] as const) {
      const page = await ben.call(operation, { ...input, limit: 1 });
      expectNext(page, new RegExp(`^More: call ${operation} with the same fields and cursor "\\S+"$`));
    }
    const barrier = await ben.call('wait_for_agents', { agentIds: ['zoe'], timeoutMs: 0 });
    expectNext(barrier, /^Call wait_for_agents again\.$/);
  });
});
