// Threads: who is in them, who may do what, what closing says, what late readers see.
import { describe, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

/** Ann opens a thread with Ben; Cyn is registered and outside. */
async function open(session: string, input: Record<string, unknown> = {}) {
  for (const agentId of ['ann', 'ben', 'cyn']) await call(hub.url, 'register_agent', { agentId }, { session });
  const as = (agent: string) => ({ agent, session });
  const thread = await call(hub.url, 'create_thread', { title: 'Plans', participants: ['ben'], ...input }, as('ann'));
  const act = (agent: string, operation: string, more: Record<string, unknown> = {}) =>
    call(hub.url, operation, { threadId: thread.threadId, ...more }, as(agent));
  const refuse = async (agent: string, operation: string, more: Record<string, unknown> = {}) =>
    (await post(hub.url, operation, { threadId: thread.threadId, ...more }, as(agent))).body.error?.code;
  return { thread, act, refuse, as };
}

/** What people wrote in a thread, without the hub's own notices. */
function written({ messages }: { messages: { id: string; sender: string }[] }): string[] {
  return messages.filter(({ sender }) => sender !== 'system').map(({ id }) => id);
}

describe('creating', () => {
  it('puts the creator in, keeps the known and names the unknown', async () => {
    const { thread } = await open('create', { participants: ['ben', 'ann', 'ben', 'zed'] });
    expect(thread).toMatchObject({
      creator: 'ann',
      status: 'open',
      participants: ['ann', 'ben'],
      unknownParticipants: ['zed'],
    });
  });

  it('is refused when no one else is known, and leaves nothing behind', async () => {
    const session = 'create-none';
    await call(hub.url, 'register_agent', { agentId: 'ann' }, { session });
    const refused = await post(
      hub.url,
      'create_thread',
      { title: 'T', participants: ['x', 'y'] },
      { agent: 'ann', session },
    );
    expect(refused.body.error).toMatchObject({
      code: 'PARTICIPANTS_UNKNOWN',
      details: { unknownParticipants: ['x', 'y'] },
    });
    expect((await call(hub.url, 'list_threads', {}, { agent: 'ann', session })).threads).toEqual([]);
  });

  it('posts its first message in the same breath, and a retry with the same key is the same thread', async () => {
    const key = { initial_message: 'Shall we, @ben?', idempotency_key: 'once' };
    const { thread, as } = await open('create-first', key);
    const again = await call(hub.url, 'create_thread', { title: 'Plans', participants: ['ben'], ...key }, as('ann'));
    expect(again).toMatchObject({ threadId: thread.threadId, duplicate: true });
    const got = await call(hub.url, 'wait_for_mentions', { timeoutMs: 50 }, as('ben'));
    expect(got.messages).toMatchObject([{ why: 'system' }, { id: thread.messageId, why: 'mention' }]);
  });
});

describe('membership', () => {
  it('joining is open to all, once', async () => {
    const { act } = await open('join');
    expect((await act('cyn', 'join_thread')).result).toBe('joined');
    expect((await act('cyn', 'join_thread')).result).toBe('already_participant');
    expect((await act('cyn', 'get_thread')).participants).toEqual(['ann', 'ben', 'cyn']);
  });

  it('members add, outsiders and strangers do not', async () => {
    const { act, refuse } = await open('add');
    expect(await refuse('cyn', 'add_participant', { participantId: 'cyn' })).toBe('FORBIDDEN');
    expect(await refuse('ben', 'add_participant', { participantId: 'zed' })).toBe('AGENT_UNKNOWN');
    expect((await act('ben', 'add_participant', { participantId: 'cyn' })).participants).toContain('cyn');
  });

  it('what a removed member had not read ends as a dead letter with the reason', async () => {
    const { act, as } = await open('remove');
    const sent = await act('ann', 'send_message', { content: 'secret' });
    await act('ann', 'remove_participant', { participantId: 'ben' });
    expect(written(await call(hub.url, 'get_messages', {}, as('ben')))).toEqual([]);
    const { deliveries } = await call(hub.url, 'get_receipts', { messageId: sent.messageId }, as('ann'));
    expect(deliveries).toMatchObject([{ recipient: 'ben', state: 'dead_lettered', reason: 'RECIPIENT_REMOVED' }]);
  });

  it('when the creator leaves the longest member owns the thread; the last to leave closes it', async () => {
    const { act } = await open('leave');
    expect(await act('ann', 'leave_thread')).toMatchObject({ creator: 'ben', participants: ['ben'], status: 'open' });
    expect(await act('ben', 'leave_thread')).toMatchObject({ participants: [], status: 'closed' });
  });

  it('an agent that is removed leaves its threads', async () => {
    const { act, as } = await open('remove-agent');
    expect(await call(hub.url, 'remove_agent', { agentId: 'ben' }, as('ann'))).toMatchObject({
      leftThreads: [expect.any(String)],
    });
    expect((await act('ann', 'get_thread')).participants).toEqual(['ann']);
  });
});

describe('closing', () => {
  it('tells the members through system, takes no more messages, can be read and reopened', async () => {
    const { thread, act, refuse, as } = await open('close');
    await act('ann', 'close_thread', { summary: 'We agreed.' });
    const got = await call(hub.url, 'wait_for_mentions', { timeoutMs: 50 }, as('ben'));
    const [, closed] = got.messages;
    expect(closed).toMatchObject({ sender: 'system', role: 'SYSTEM', why: 'system', urgent: true });
    expect(closed.content[0].text).toBe(
      `The thread "Plans" (${thread.threadId}) was closed by ann. Summary: We agreed.`,
    );
    expect(await refuse('ben', 'send_message', { content: 'but' })).toBe('THREAD_CLOSED');
    expect(await refuse('cyn', 'join_thread')).toBe('THREAD_CLOSED');
    expect(await act('ben', 'get_thread')).toMatchObject({ status: 'closed', summary: 'We agreed.' });
    expect((await act('ann', 'reopen_thread')).status).toBe('open');
    expect((await act('ben', 'send_message', { content: 'again' })).success).toBe(true);
  });
});

describe('reading', () => {
  it('pages forward by cursor, message id or seq, and shows the newest page first when asked for none', async () => {
    const { act } = await open('pages');
    const ids: string[] = [];
    for (let index = 1; index <= 5; index++)
      ids.push((await act('ann', 'send_message', { content: `m${index}` })).messageId);
    const newest = await act('ben', 'get_thread', { limit: 2 });
    expect(written(newest)).toEqual(ids.slice(3));
    expect(newest.hasMore).toBe(true);
    const first = await act('ben', 'get_thread', { after: 0, limit: 3 });
    const rest = await act('ben', 'get_thread', { after: first.cursor, limit: 3 });
    expect([...written(first), ...written(rest)]).toEqual(ids);
    expect(written(await act('ben', 'get_thread', { after: ids[3] }))).toEqual(ids.slice(4));
    expect(written(await act('ben', 'get_thread', { before: ids[1] }))).toEqual(ids.slice(0, 1));
  });

  it('lists threads with what is unread in each, newest first, page by page', async () => {
    const { act, as } = await open('list');
    await act('ann', 'send_message', { content: 'one' });
    await call(hub.url, 'create_thread', { title: 'Later', participants: ['ben'] }, as('ann'));
    const first = await call(hub.url, 'list_threads', { limit: 1 }, as('ben'));
    expect(first.threads).toMatchObject([{ title: 'Later', unread: 1, critical: false }]);
    const second = await call(hub.url, 'list_threads', { limit: 1, cursor: first.cursor }, as('ben'));
    expect(second).toMatchObject({ threads: [{ title: 'Plans', unread: 2 }], cursor: null });
    expect((await call(hub.url, 'list_threads', { participant: 'cyn' }, as('ben'))).threads).toEqual([]);
    expect((await call(hub.url, 'list_threads', { status: 'closed' }, as('ben'))).threads).toEqual([]);
  });
});

it('reading back page by page from the newest shows every message once', async () => {
  const { act } = await open('back');
  const ids: string[] = [];
  for (let index = 1; index <= 5; index++)
    ids.push((await act('ann', 'send_message', { content: `m${index}` })).messageId);
  const seen: string[] = [];
  let page = await act('ben', 'get_thread', { limit: 2 });
  for (;;) {
    seen.unshift(...written(page));
    if (!page.hasMore) break;
    page = await act('ben', 'get_thread', { limit: 2, before: page.cursor });
  }
  expect(seen).toEqual(ids);
});

describe('sending into a thread', () => {
  it('is refused to those outside it, also when the target is unknown, and leaves nothing in it', async () => {
    const { act, refuse } = await open('outside');
    expect(await refuse('cyn', 'send_message', { target: 'nobody', message: 'let me in' })).toBe('FORBIDDEN');
    expect(written(await act('ann', 'get_thread'))).toEqual([]);
  });

  it('a reply to someone who was removed is refused, not kept for whoever takes the name', async () => {
    const { as } = await open('gone');
    const asked = await call(hub.url, 'send_message', { target: 'ben', message: 'still here?' }, as('cyn'));
    await call(hub.url, 'remove_agent', { agentId: 'cyn' }, as('ann'));
    const refused = await post(hub.url, 'send_message', { message: 'yes', reply_to: asked.messageId }, as('ben'));
    expect(refused.body.error).toMatchObject({ code: 'AGENT_UNKNOWN' });
  });

  it('a reply wakes its author and inherits the thread', async () => {
    const { thread, act, as } = await open('reply');
    const asked = await act('ann', 'send_message', { content: 'who?' });
    await call(hub.url, 'send_message', { message: 'me', reply_to: asked.messageId }, as('ben'));
    const got = await call(hub.url, 'wait_for_mentions', { timeoutMs: 50 }, as('ann'));
    expect(got.messages).toMatchObject([{ why: 'reply', replyTo: asked.messageId, threadId: thread.threadId }]);
  });

  it('with a target it is delivered to the target only, and shown in the thread', async () => {
    const { act, as } = await open('aside');
    await act('ann', 'add_participant', { participantId: 'cyn' });
    await act('ann', 'send_message', { target: 'cyn', message: 'just you' });
    expect(written(await call(hub.url, 'get_messages', {}, as('ben')))).toEqual([]);
    const got = await call(hub.url, 'get_messages', {}, as('cyn'));
    expect(got.messages).toMatchObject([{ why: 'system' }, { why: 'direct' }]);
    expect(written(await act('ben', 'get_thread'))).toHaveLength(1);
  });

  it('a reply aimed at an outsider stays outside, and tells it nothing of the thread', async () => {
    const { thread, act, as } = await open('outsider', { private: true });
    const asked = await act('ann', 'send_message', { content: 'between us' });
    await act('ann', 'close_thread', { summary: 'done' });
    await call(hub.url, 'send_message', { target: 'cyn', message: 'look', reply_to: asked.messageId }, as('ben'));
    const got = await call(hub.url, 'get_messages', {}, as('cyn'));
    expect(got.messages).toMatchObject([{ why: 'direct' }]);
    expect(got.messages[0]).not.toHaveProperty('threadId');
    expect(got).not.toHaveProperty('threads');
    expect(written(await act('ann', 'get_thread'))).toEqual([asked.messageId]);
    expect(thread.participants).toEqual(['ann', 'ben']);
  });

  it('a group in mentions means its members in the thread, and drops no one', async () => {
    const { act, as } = await open('group-mention');
    await call(hub.url, 'set_group', { name: 'crew', members: ['ben', 'cyn'] }, as('ann'));
    const sent = await act('ann', 'send_message', { content: 'all hands', mentions: ['crew', 'zed'] });
    expect(sent).toMatchObject({ mentions: ['ben'], droppedMentions: ['zed'] });
  });

  it('how it was closed is kept even when no one is left to be told', async () => {
    const { act } = await open('alone');
    await act('ben', 'leave_thread');
    await act('ann', 'close_thread', { summary: 'Nothing left.' });
    const { messages } = await act('ann', 'get_thread');
    expect(messages.at(-1).content[0].text).toContain('Summary: Nothing left.');
  });

  it('@id counts as a mention at a word’s start and outside code, unless turned off', async () => {
    const { act } = await open('at-sign');
    expect((await act('ann', 'send_message', { content: '(@ben), look' })).mentions).toEqual(['ben']);
    expect((await act('ann', 'send_message', { content: 'mail me at ann@ben or `@ben`' })).mentions).toEqual([]);
    expect((await act('ann', 'send_message', { content: '```\n@ben\n```' })).mentions).toEqual([]);
    expect((await act('ann', 'send_message', { content: '@ben', parseMentions: false })).mentions).toEqual([]);
  });
});
