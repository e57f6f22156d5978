// Sessions: created by use or on purpose, listed, closed for good, and closed by their own time.
import { describe, expect, it } from 'vitest';
import { configFile } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { connectMcp } from '../support/mcp-clients.js';
import { movableClock } from '../support/movable-clock.js';
import { exportLines, importLines } from '../support/transfer.js';
import { useHub } from '../support/use-hub.js';

const clock = movableClock();
const hub = useHub({ clock });

interface Listed {
  sessionId: string;
}

const create = (input: object) => call(hub.url, 'create_session', input);
const close = (sessionId: string, reason?: string) =>
  call(hub.url, 'close_session', { sessionId, ...(reason === undefined ? {} : { reason }) });
const refusal = async (operation: string, input: unknown, who: { agent?: string; session?: string } = {}) =>
  (await post(hub.url, operation, input, who)).body.error;
const listed = async (sessionId: string) => {
  const { sessions } = await call(hub.url, 'list_sessions', { limit: 500 });
  return sessions.find((session: Listed) => session.sessionId === sessionId);
};

async function team(session: string, ids: readonly string[]): Promise<void> {
  for (const agentId of ids) await call(hub.url, 'register_agent', { agentId }, { session });
}

describe('create_session', () => {
  it('makes a session with an application, a time to live and annotations', async () => {
    const annotations = { ticket: 'R-14', owners: ['ann'] };
    const { success, session } = await create({ sessionId: 'made', application: 'release', ttl: 3600, annotations });
    expect(success).toBe(true);
    expect(session).toMatchObject({ sessionId: 'made', status: 'open', application: 'release', annotations });
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(3_600_000);
    const [all, ...rest] = (await call(hub.url, 'list_groups', {}, { session: 'made' })).groups;
    expect([all.name, ...rest.map(({ name }: { name: string }) => name)]).toContain('council');
  });

  it('makes a name if none is given, and never the same twice', async () => {
    const names = [(await create({})).session.sessionId, (await create({})).session.sessionId];
    expect(new Set(names).size).toBe(2);
    await team(names[0], ['ann']);
    expect(await listed(names[0])).toMatchObject({ agents: 1 });
  });

  it('refuses a name that is taken, also by a session that was created by use or is closed', async () => {
    await create({ sessionId: 'taken' });
    await team('used', ['ann']);
    await create({ sessionId: 'ended' });
    await close('ended');
    for (const sessionId of ['taken', 'used', 'ended']) {
      const { code, hint } = await refusal('create_session', { sessionId });
      expect({ code, hint }).toEqual({ code: 'SESSION_TAKEN', hint: expect.stringContaining('another sessionId') });
    }
  });

  it('is made once when two ask at the same time', async () => {
    const asked = Array.from({ length: 4 }, (_, index) =>
      post(hub.url, 'create_session', { sessionId: 'race' }, { agent: `a${index}`, session: 'racers' }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  });

  it('refuses annotations and names that are too long, and leaves nothing behind', async () => {
    const bytes = (count: number) => ({ a: 'x'.repeat(count - '{"a":""}'.length) });
    await create({ sessionId: 'full', annotations: bytes(16 * 1024), application: 'x'.repeat(100) });
    for (const input of [{ annotations: bytes(16 * 1024 + 1) }, { application: 'x'.repeat(101) }, { ttl: 0 }]) {
      expect((await refusal('create_session', { sessionId: 'over', ...input })).code).toBe('INVALID_INPUT');
    }
    expect(await listed('over')).toBeUndefined();
  });
});

describe('list_sessions', () => {
  it('pages by id, with counts', async () => {
    await create({ sessionId: 'list-a' });
    await team('list-b', ['ann', 'ben']);
    await call(hub.url, 'create_thread', { title: 'T' }, { agent: 'ann', session: 'list-b' });
    const found: Listed[] = [];
    let cursor: string | undefined;
    do {
      const page = await call(hub.url, 'list_sessions', { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.sessions.length).toBeLessThanOrEqual(2);
      found.push(...page.sessions);
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
    const ids = found.map(({ sessionId }) => sessionId);
    expect(ids).toEqual(ids.toSorted());
    expect(found.find(({ sessionId }) => sessionId === 'list-a')).toMatchObject({ agents: 0, threads: 0, lastSeq: 0 });
    const used = found.find(({ sessionId }) => sessionId === 'list-b');
    expect(used).toMatchObject({ status: 'open', agents: 2, threads: 1 });
  });

  it('is not among the tools that every agent pays for', async () => {
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=tools`);
    const tools = (await client.tools()).map(({ name }) => name);
    for (const name of ['create_session', 'list_sessions', 'close_session', 'redact_message']) {
      expect(tools).not.toContain(name);
    }
    await client.close();
  });
});

describe('close_session', () => {
  it('closes the open threads with the reason as summary, without a notice for each', async () => {
    await team('threads', ['ann', 'ben']);
    const by = { agent: 'ann', session: 'threads' };
    const ids: string[] = [];
    for (const title of ['One', 'Two', 'Three']) {
      ids.push((await call(hub.url, 'create_thread', { title, participants: ['ben'] }, by)).threadId);
    }
    await call(hub.url, 'close_thread', { threadId: ids[2], summary: 'Done before.' }, by);
    const before = (await listed('threads')).lastSeq;
    expect(await close('threads', 'Shipped.')).toMatchObject({
      success: true,
      closedThreads: 2,
      session: { sessionId: 'threads', status: 'closed', closeReason: 'Shipped.' },
    });
    const summaries = [];
    for (const threadId of ids) {
      const thread = await call(hub.url, 'get_thread', { threadId }, by);
      expect(thread.status).toBe('closed');
      summaries.push(thread.summary);
    }
    expect(summaries).toEqual(['Shipped.', 'Shipped.', 'Done before.']);
    expect(await listed('threads')).toMatchObject({ status: 'closed', lastSeq: before, threads: 3 });
  });

  it('refuses every change, on every hub, and lets everything be read', async () => {
    await team('shut', ['ann', 'ben']);
    const by = { agent: 'ann', session: 'shut' };
    const { threadId } = await call(hub.url, 'create_thread', { title: 'T', participants: ['ben'] }, by);
    await call(hub.url, 'send_message', { threadId, message: '@ben a word to find' }, by);
    const first = { target: 'ben', message: 'once', idempotency_key: 'k' };
    const sent = await call(hub.url, 'send_message', first, by);
    await close('shut', 'Over.');
    const changes: [string, object][] = [
      ['send_message', { target: 'ben', message: 'x' }],
      ['send_message', { threadId, message: '@ben x' }],
      ['create_thread', { title: 'U' }],
      ['reopen_thread', { threadId }],
      ['leave_thread', { threadId }],
      ['register_agent', { agentId: 'ann', description: 'changed' }],
      ['remove_agent', { agentId: 'ben' }],
      ['set_group', { name: 'g', members: [] }],
      ['set_notify_prefs', { quiet: true }],
    ];
    for (const agent of ['ann', 'ben']) {
      for (const [operation, input] of changes) {
        const error = await refusal(operation, input, {
          agent: operation === 'register_agent' ? 'ann' : agent,
          session: 'shut',
        });
        expect({ operation, code: error.code }).toEqual({ operation, code: 'SESSION_CLOSED' });
        expect(error.message).toContain('Over.');
      }
    }
    expect((await refusal('register_agent', { agentId: 'new' }, { session: 'shut' })).code).toBe('SESSION_CLOSED');
    // A retry hears what it would have heard before.
    expect(await call(hub.url, 'send_message', first, by)).toMatchObject({
      messageId: sent.messageId,
      duplicate: true,
    });
    const ben = { agent: 'ben', session: 'shut' };
    expect((await call(hub.url, 'get_thread', { threadId }, ben)).messages.length).toBeGreaterThan(0);
    expect((await call(hub.url, 'search_messages', { query: 'find' }, ben)).messages).toHaveLength(1);
    expect((await call(hub.url, 'get_messages', {}, ben)).messages.length).toBeGreaterThan(1);
    expect((await call(hub.url, 'get_messages', {}, ben)).messages).toEqual([]);
  });

  it('ends waits that are parked at any hub, at once, after what is unread', async () => {
    const waiters = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6'];
    await team('waits', ['ann', ...waiters]);
    const wait = (agent: string) =>
      post(hub.url, 'wait_for_mentions', { timeoutMs: 60_000 }, { agent, session: 'waits' });
    const parked = waiters.map(wait);
    const barrier = post(hub.url, 'wait_for_agents', { count: 99, timeoutMs: 60_000 }, { session: 'waits' });
    await eventually('all wait', async () => {
      const { agents } = await call(hub.url, 'list_agents', {}, { session: 'waits', agent: 'ann' });
      return agents.filter(({ presence }: { presence: string }) => presence === 'waiting').length === waiters.length;
    });
    const started = performance.now();
    await close('waits', 'Enough.');
    for (const { status, body } of await Promise.all([...parked, barrier])) {
      expect({ status, code: body.error?.code }).toEqual({ status: 409, code: 'SESSION_CLOSED' });
      expect(body.error.message).toBe("The session 'waits' is closed: Enough.");
      expect(body.error.retry).toBe('after_fixing_input');
    }
    expect(performance.now() - started).toBeLessThan(5_000);
    expect((await wait('w1')).body.error.code).toBe('SESSION_CLOSED');
  });

  it('hands out unread messages to a wait before it says that the session is closed', async () => {
    await team('late', ['ann', 'ben']);
    await call(hub.url, 'send_message', { target: 'ben', message: 'read me' }, { agent: 'ann', session: 'late' });
    await close('late');
    const wait = () => post(hub.url, 'wait_for_mentions', { timeoutMs: 60_000 }, { agent: 'ben', session: 'late' });
    expect((await wait()).body.messages).toMatchObject([{ sender: 'ann' }]);
    await eventually('nothing is left', async () => (await wait()).body.error?.code === 'SESSION_CLOSED');
  });

  it('ends a wait for responses with the closed thread', async () => {
    await team('critical', ['ann', 'ben']);
    const opened = post(
      hub.url,
      'create_critical_thread',
      { title: 'Down', participants: ['ben'], message: 'Who?', timeoutMs: 60_000 },
      { agent: 'ann', session: 'critical' },
    );
    await eventually('the thread is open', async () => (await listed('critical')).threads === 1);
    await close('critical', 'Never mind.');
    const { status, body } = await opened;
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.complete).toBe(false);
  });

  it('is the caller’s own session if none is named, and says so when it was closed before', async () => {
    await team('own', ['ann']);
    const by = { agent: 'ann', session: 'own' };
    expect(await call(hub.url, 'close_session', {}, by)).toMatchObject({ session: { sessionId: 'own' } });
    const again = await call(hub.url, 'close_session', { reason: 'other' }, by);
    expect(again).toMatchObject({ alreadyClosed: true, closedThreads: 0 });
    expect(again.session.closeReason).toBeUndefined();
  });

  it('refuses a session that does not exist, and the one where callers are who name none', async () => {
    expect((await refusal('close_session', { sessionId: 'never-was' })).code).toBe('SESSION_UNKNOWN');
    // It is there from the start.
    expect((await refusal('create_session', { sessionId: 'default', ttl: 60 })).code).toBe('SESSION_TAKEN');
    await create({ sessionId: 'ending', ttl: 3600 });
    const { body } = await importLines(hub.url, await exportLines(hub.url, 'ending'), { sessionId: 'default' });
    expect(body.error.code).toBe('SESSION_TAKEN');
    const { code, hint } = await refusal('close_session', {});
    expect({ code, hint }).toEqual({ code: 'FORBIDDEN', hint: expect.stringContaining('create_session') });
    await call(hub.url, 'send_message', { target: 'ann', message: 'still here' }, { agent: 'ann' });
  });

  it('leaves other sessions as they are', async () => {
    await team('one', ['ann', 'ben']);
    await team('two', ['ann', 'ben']);
    await close('one');
    await call(hub.url, 'send_message', { target: 'ben', message: 'x' }, { agent: 'ann', session: 'two' });
  });

  it('reads as a sentence over MCP', async () => {
    await create({ sessionId: 'spoken' });
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=speaker`);
    const { text } = await client.call('close_session', { sessionId: 'spoken' });
    expect(text).toContain('Closed session spoken with 0 open threads.');
    await client.close();
  });
});

describe('a session with a time to live', () => {
  it('closes itself, once, and ends its waits', async () => {
    await create({ sessionId: 'brief', ttl: 3600 });
    await team('brief', ['ann', 'ben']);
    const parked = post(hub.url, 'wait_for_mentions', { timeoutMs: 600_000 }, { agent: 'ben', session: 'brief' });
    clock.advance(3_500_000);
    await call(hub.url, 'send_message', { target: 'ann', message: 'in time' }, { agent: 'ann', session: 'brief' });
    clock.advance(200_000);
    await eventually('it is closed', async () => (await listed('brief')).status === 'closed');
    expect(await listed('brief')).toMatchObject({ closeReason: 'expired' });
    const { body } = await parked;
    // Its own time may have ended just before.
    expect(body.timedOut ?? body.error.code).toBeTruthy();
    expect(
      (await refusal('send_message', { target: 'ann', message: 'x' }, { agent: 'ann', session: 'brief' })).code,
    ).toBe('SESSION_CLOSED');
  });
});

it('a hub has as many sessions as its limit, by use and on purpose, and not one more', async () => {
  const args = ['--config', configFile({ limits: { sessions: 4 } })];
  const { url } = await startHubInProcess({ args });
  await call(url, 'register_agent', { agentId: 'ann' }, { session: 's1' });
  await call(url, 'create_session', { sessionId: 's2' });
  await call(url, 'register_agent', { agentId: 'ann' }, { session: 's3' });
  const used = await post(url, 'register_agent', { agentId: 'ann' }, { session: 's4' });
  const made = await post(url, 'create_session', { sessionId: 's4' });
  for (const { status, body } of [used, made]) {
    expect({ status, code: body.error.code }).toEqual({ status: 429, code: 'LIMIT_REACHED' });
    expect(body.error.details).toEqual({ limit: 4 });
  }
  await call(url, 'register_agent', { agentId: 'ben' }, { session: 's1' });
  expect((await call(url, 'list_sessions', {})).sessions).toHaveLength(4);
});
