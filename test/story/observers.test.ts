// An observer reads the threads of its session that are not private. It changes nothing, and sees no one's mail.
import { beforeAll, describe, expect, it } from 'vitest';
import { operationList } from '../../dist/contract/operations/index.js';
import { followEvents } from '../support/follow-events.js';
import { eventually } from '../support/eventually.js';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';
import { connectMcp } from '../support/mcp-clients.js';

const { hub, key, post, call } = useKeyedHub({
  ann: agentRights,
  ben: agentRights,
  cyn: agentRights,
  boss: ['admin'],
  sender: ['send'],
  observer: ['observer'],
});

const imageOf = (text: string) => ({
  type: 'image',
  source: { type: 'base64', mediaType: 'image/png', data: Buffer.from(text).toString('base64') },
});

const shown: { threadId: string; messageId: string } = { threadId: '', messageId: '' };
const hidden = { ...shown };
const direct = { ...shown };

beforeAll(async () => {
  for (const [place, options] of [
    [shown, { title: 'Open plan' }],
    [hidden, { title: 'Closed plan', private: true }],
  ] as const) {
    const { threadId } = await call('ann', 'create_thread', { participants: ['ben'], ...options });
    const content = [{ type: 'text', text: `plan of ${options.title}` }, imageOf(options.title)];
    const { messageId } = await call('ann', 'send_message', { threadId, content });
    Object.assign(place, { threadId, messageId });
  }
  const content = [{ type: 'text', text: 'plan for ben alone' }, imageOf('direct')];
  Object.assign(direct, await call('ann', 'send_message', { target: 'ben', content }));
});

describe('an observer', () => {
  it('reads threads that are not private', async () => {
    const { threads } = await call('observer', 'list_threads');
    expect(threads.map(({ title }: { title: string }) => title)).toEqual(['Open plan']);
    expect(threads[0].unread).toBe(0);
    const thread = await call('observer', 'get_thread', { threadId: shown.threadId });
    expect(thread.messages.map(({ id }: { id: string }) => id)).toContain(shown.messageId);
    expect(thread).not.toHaveProperty('unread');
  });

  it('is told of a private thread what it is told of one that does not exist', async () => {
    const known = await post('observer', 'get_thread', { threadId: hidden.threadId });
    const unknown = await post('observer', 'get_thread', { threadId: 'th_nothing' });
    expect(known.status).toBe(404);
    expect(JSON.stringify(known).replaceAll(hidden.threadId, 'th_nothing')).toBe(JSON.stringify(unknown));
    expect((await post('observer', 'get_thread', { threadId: 'Closed plan' })).status).toBe(404);
  });

  it('finds by search what is in those threads, and nothing else', async () => {
    const { messages } = await call('observer', 'search_messages', { query: 'plan', from: 'ann' });
    expect(messages.map(({ id }: { id: string }) => id)).toEqual([shown.messageId]);
    const inside = await call('observer', 'search_messages', { query: 'plan', threadId: hidden.threadId });
    expect(inside.messages).toEqual([]);
  });

  it('reads the session in order, and lists what is active, as far as it sees threads', async () => {
    const idsOf = async (agent: string) => {
      const page = await call(agent, 'get_session_history');
      return page.messages.map(({ id }: { id: string }) => id).filter((id: string) => sent.includes(id));
    };
    const sent = [shown, hidden, direct].map(({ messageId }) => messageId);
    expect(await idsOf('observer')).toEqual([shown.messageId]);
    expect(await idsOf('cyn')).toEqual([]);
    expect(await idsOf('ben')).toEqual(sent);
    expect(await idsOf('boss')).toEqual(sent);
    expect((await call('observer', 'get_session_history')).threads).toEqual([
      { threadId: shown.threadId, title: 'Open plan' },
    ]);
    const active = async (agent: string) =>
      (await call(agent, 'list_active_threads')).threads.map(({ title }: { title: string }) => title);
    expect(await active('observer')).toEqual(['Open plan']);
    expect(await active('cyn')).toEqual(['Open plan']);
    expect(await active('ben')).toEqual(['Closed plan', 'Open plan']);
  });

  it('gets their attachments, and no others', async () => {
    const { hash } = await call('observer', 'get_attachment', { messageId: shown.messageId, index: 0 });
    expect(await call('observer', 'get_attachment', { hash })).toMatchObject({ hash });
    for (const { messageId } of [hidden, direct]) {
      const own = await call('ben', 'get_attachment', { messageId, index: 0 });
      const refusals = [
        await post('observer', 'get_attachment', { messageId, index: 0 }),
        await post('observer', 'get_attachment', { hash: own.hash }),
      ];
      expect(refusals.map(({ body }) => body.error.code)).toEqual(['MESSAGE_UNKNOWN', 'ATTACHMENT_UNKNOWN']);
    }
  });

  it('sees who is there, not how much mail they have', async () => {
    const { agents } = await call('observer', 'list_agents', { includeDetails: true });
    expect(agents.map(({ id }: { id: string }) => id)).toEqual(['ann', 'ben', 'boss', 'cyn', 'me', 'sender']);
    for (const agent of agents) expect(agent).not.toHaveProperty('unread');
    await call('observer', 'list_groups');
  });

  it('sees no receipts of a critical thread’s opening', async () => {
    const opening = { title: 'Urgent', message: 'Answer', participants: ['ben'], timeoutMs: 0 };
    await post('ann', 'create_critical_thread', opening);
    const { threads } = await call('observer', 'list_threads');
    const { threadId } = threads.find(({ title }: { title: string }) => title === 'Urgent');
    expect(await call('observer', 'get_thread', { threadId })).not.toHaveProperty('receipts');
    expect(await call('ann', 'get_thread', { threadId })).toHaveProperty('receipts');
  });

  it('may call these operations, and is refused every other one before its input is looked at', async () => {
    const allowed = operationList.filter(({ forObservers }) => forObservers === true).map(({ name }) => name);
    expect(allowed.toSorted()).toEqual(
      [
        'get_activity',
        'get_attachment',
        'get_session_history',
        'get_thread',
        'list_active_threads',
        'list_agents',
        'list_groups',
        'list_threads',
        'search_messages',
      ].toSorted(),
    );
    for (const { name, forObservers } of operationList) {
      if (forObservers === true) continue;
      const { status, body } = await post('observer', name);
      expect([name, status, body.error.code]).toEqual([name, 403, 'FORBIDDEN']);
    }
  });

  it('is shown over MCP only what it may call', async () => {
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?tools=all`, { key: key('observer') });
    const names = (await client.tools()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(
      operationList
        .filter(({ forObservers }) => forObservers === true)
        .map(({ name }) => name)
        .toSorted(),
    );
    const refused = await client.call('send_message', { target: 'ann', message: 'x' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^FORBIDDEN: /) });
    await client.close();
  });

  it('has no name to speak under', async () => {
    const { body } = await post('observer', 'list_threads', { agentId: 'ann' });
    expect(body.error.code).toBe('IDENTITY_MISMATCH');
  });
});

describe('the feed shows', () => {
  const textsOf = async (who: string) => {
    const follower = await followEvents(hub.url, { key: key(who), lastEventId: 0 });
    const last = (await call('boss', 'query_message_history', { source: 'ann', limit: 1 })).messages[0].seq;
    await eventually('the end', () => follower.position() >= last);
    return follower.texts().filter((text) => text.startsWith('plan'));
  };

  it('an agent its own messages, its threads and its mail; an observer the open threads; an admin everything', async () => {
    const [open, closed, mail] = ['plan of Open plan', 'plan of Closed plan', 'plan for ben alone'];
    expect(await textsOf('ann')).toEqual([open, closed, mail]);
    expect(await textsOf('ben')).toEqual([open, closed, mail]);
    expect(await textsOf('cyn')).toEqual([]);
    expect(await textsOf('observer')).toEqual([open]);
    expect(await textsOf('boss')).toEqual([open, closed, mail]);
  });

  it('live what replay shows, at every hub', async () => {
    const followers = new Map<string, Awaited<ReturnType<typeof followEvents>>>();
    for (const who of ['ann', 'ben', 'cyn', 'boss', 'observer']) {
      followers.set(who, await followEvents(hub.url, { key: key(who), lastEventId: 0 }));
    }
    await call('ann', 'send_message', { threadId: shown.threadId, content: 'live in the open' });
    await call('ann', 'send_message', { threadId: hidden.threadId, content: 'live behind the door' });
    await call('ben', 'send_message', { target: 'cyn', content: 'live to cyn' });
    await call('ann', 'send_message', { target: 'ben', content: 'live to ben' });
    const last = (await call('boss', 'query_message_history', { source: 'ann', limit: 1 })).messages[0].seq;
    for (const [who, follower] of followers) {
      await eventually(`${who} is at the end`, () => follower.position() >= last);
      const again = await followEvents(hub.url, { key: key(who), lastEventId: 0 });
      await eventually(`${who} again`, () => again.position() >= last);
      expect(again.seqs()).toEqual(follower.seqs());
    }
    const live = (who: string) =>
      followers
        .get(who)
        ?.texts()
        .filter((text) => text.startsWith('live'));
    expect(live('cyn')).toEqual(['live to cyn']);
    expect(live('observer')).toEqual(['live in the open']);
    expect(live('ben')).toEqual(['live in the open', 'live behind the door', 'live to cyn', 'live to ben']);
  });

  it('a position also where nothing is shown, so that nothing is examined twice', async () => {
    const follower = await followEvents(hub.url, { key: key('cyn') });
    const { seq } = await call('ann', 'send_message', { target: 'ben', content: 'not for cyn' });
    await eventually('passed', () => follower.position() === seq);
    expect(follower.events.at(-1)).toEqual({ id: String(seq), event: '', data: null });
    expect(follower.seqs()).toEqual([]);
  });

  it('nothing to a key that may only send', async () => {
    const response = await fetch(`${hub.url}/v1/events`, { headers: { authorization: `Bearer ${key('sender')}` } });
    expect(response.status).toBe(403);
  });
});

describe('an agent’s key', () => {
  it('reads a thread only as a member, an admin’s any thread', async () => {
    const refusal = await post('cyn', 'get_thread', { threadId: shown.threadId });
    expect(refusal.body.error.code).toBe('FORBIDDEN');
    expect((await post('cyn', 'get_thread', { threadId: hidden.threadId })).body.error.code).toBe('THREAD_UNKNOWN');
    await call('boss', 'get_thread', { threadId: hidden.threadId });
  });

  it('sees no private thread in the list, and none by its title', async () => {
    const { threads } = await call('cyn', 'list_threads');
    expect(threads.map(({ title }: { title: string }) => title)).not.toContain('Closed plan');
    expect((await post('cyn', 'get_thread', { threadId: 'Closed plan' })).body.error.code).toBe('THREAD_UNKNOWN');
  });

  it('looks into no other inbox, outbox or receipt', async () => {
    for (const [operation, input, code] of [
      ['get_messages', { sessionId: 'ben', markAsRead: false }, 'FORBIDDEN'],
      ['get_messages', { sessionId: 'ben', include: 'recent' }, 'FORBIDDEN'],
      ['get_messages', { messageId: direct.messageId }, 'MESSAGE_UNKNOWN'],
      ['get_sent_messages', { source: 'ann' }, 'FORBIDDEN'],
      ['get_receipts', { messageId: direct.messageId }, 'MESSAGE_UNKNOWN'],
      ['query_message_history', { source: 'ann' }, 'FORBIDDEN'],
      ['get_dead_letters', {}, 'FORBIDDEN'],
    ] as const) {
      const { body } = await post('cyn', operation, input);
      expect([operation, body.error?.code]).toEqual([operation, code]);
    }
  });

  it('sees its own count of unread mail, an admin’s everyone’s', async () => {
    const unreadOf = async (who: string) => {
      const { agents } = await call(who, 'list_agents', { includeDetails: true });
      return agents.filter((agent: object) => 'unread' in agent).map(({ id }: { id: string }) => id);
    };
    expect(await unreadOf('cyn')).toEqual(['cyn']);
    expect(await unreadOf('boss')).toEqual(['ann', 'ben', 'boss', 'cyn', 'me', 'sender']);
  });

  it('does not read the numbers of the hub, which are those of all sessions', async () => {
    const statusFor = async (who: string) =>
      (await fetch(`${hub.url}/metrics`, { headers: { authorization: `Bearer ${key(who)}` } })).status;
    expect(await Promise.all(['ann', 'observer', 'boss'].map(statusFor))).toEqual([403, 403, 200]);
  });
});
