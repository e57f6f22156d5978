// Sent means stored, read means the reader got it: leases, redelivery, receipts, acknowledgements.
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub({ args: ['--manual-lease-ms', '1000'] });

async function sendTo(session: string, message: string, extra: Record<string, unknown> = {}): Promise<string> {
  const as = { agent: 'ann', session };
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  return (await call(hub.url, 'send_message', { target: 'ben', message, ...extra }, as)).messageId;
}

async function receipt(session: string, messageId: string) {
  return (await call(hub.url, 'get_receipts', { messageId }, { agent: 'ann', session })).deliveries[0];
}

const inbox = (session: string, input: Record<string, unknown> = {}) =>
  call(hub.url, 'get_messages', input, { agent: 'ben', session });

const stateOf = (session: string, messageId: string, state: string, withinMs?: number) =>
  eventually(`${messageId} ${state}`, async () => (await receipt(session, messageId)).state === state, withinMs);

function rawRequest(session: string, body: string, headers: Record<string, string> = {}) {
  const asked = request(`${hub.url}/v1/get_messages`, {
    method: 'POST',
    agent: false,
    headers: { 'coterie-agent': 'ben', 'coterie-session': session, 'content-length': body.length, ...headers },
  });
  asked.on('error', () => {});
  asked.end(body);
  return asked;
}

describe('an answer that was written', () => {
  it('shows its messages as delivered, then read two seconds later with the connection open', async () => {
    const id = await sendTo('doubt', 'hello');
    expect(await receipt('doubt', id)).toMatchObject({ state: 'pending', attempts: 0 });
    await inbox('doubt');
    expect(await receipt('doubt', id)).toMatchObject({ state: 'delivered', attempts: 1 });
    await stateOf('doubt', id, 'read');
    expect((await inbox('doubt')).messages).toEqual([]);
  });

  it('is read at once when the client asks something else on the same connection', async () => {
    const id = await sendTo('next', 'hello');
    const socket = connect(Number(new URL(hub.url).port), '127.0.0.1');
    const ask = (operation: string) => {
      const head = `POST /v1/${operation} HTTP/1.1\r\nhost: 127.0.0.1\r\ncoterie-agent: ben\r\ncoterie-session: next\r\ncontent-length: 2\r\n\r\n{}`;
      socket.write(head);
      return new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())));
    };
    expect(await ask('get_messages')).toContain('hello');
    await ask('list_agents');
    await stateOf('next', id, 'read', 1_000);
    socket.destroy();
  });

  it('counts as read when the client took it and closed', async () => {
    const id = await sendTo('closed', 'hello');
    const asked = rawRequest('closed', '{}', { connection: 'close' });
    await new Promise<void>((resolve) => asked.on('response', (response) => response.on('end', resolve).resume()));
    await stateOf('closed', id, 'read');
  });

  it('comes again, marked, when the client closed with the answer unread', async () => {
    const id = await sendTo('unread', 'hello');
    const socket = connect(Number(new URL(hub.url).port), '127.0.0.1');
    // Never reads: the answer stays in the client's kernel, and closing then resets the connection.
    socket.pause();
    socket.write(
      'POST /v1/get_messages HTTP/1.1\r\nhost: 127.0.0.1\r\ncoterie-agent: ben\r\ncoterie-session: unread\r\ncontent-length: 2\r\n\r\n{}',
    );
    await stateOf('unread', id, 'delivered');
    socket.destroy();
    await stateOf('unread', id, 'pending');
    const again = await inbox('unread');
    expect(again.messages).toMatchObject([{ id, redelivered: true }]);
  });
});

describe('acknowledging by hand', () => {
  it('keeps the lease until ack_messages', async () => {
    const id = await sendTo('manual', 'hello');
    const got = await inbox('manual', { ack: 'manual' });
    expect(got.messages).toHaveLength(1);
    expect((await inbox('manual')).messages).toEqual([]);
    const as = { agent: 'ben', session: 'manual' };
    expect(await call(hub.url, 'ack_messages', { ids: [id] }, as)).toMatchObject({ acknowledged: [id], notFound: [] });
    expect(await receipt('manual', id)).toMatchObject({ state: 'read' });
  });

  it('takes the cursor of the answer in the next call, or in ack_messages', async () => {
    const first = await sendTo('cursor', 'one');
    const got = await inbox('cursor', { ack: 'manual' });
    const second = await sendTo('cursor', 'two');
    const next = await inbox('cursor', { ack: 'manual', cursor: got.cursor });
    expect(next.messages).toMatchObject([{ id: second }]);
    expect(await receipt('cursor', first)).toMatchObject({ state: 'read' });
    const as = { agent: 'ben', session: 'cursor' };
    expect(await call(hub.url, 'ack_messages', { cursor: next.cursor }, as)).toMatchObject({ acknowledged: [second] });
  });

  it('or gives the messages back, and they come again, marked', async () => {
    const id = await sendTo('release', 'hello');
    const got = await inbox('release', { ack: 'manual' });
    await call(hub.url, 'ack_messages', { cursor: got.cursor, release: true }, { agent: 'ben', session: 'release' });
    expect((await inbox('release')).messages).toMatchObject([{ id, redelivered: true }]);
  });

  it('a lease that ran out comes again; after five it is a dead letter', { tags: ['long'] }, async () => {
    const id = await sendTo('run-out', 'hello');
    for (let attempt = 1; attempt <= 5; attempt++) {
      const as = { agent: 'ben', session: 'run-out' };
      const got = await call(hub.url, 'wait_for_mentions', { timeoutMs: 8_000, ack: 'manual' }, as);
      expect(got.messages[0].redelivered).toBe(attempt === 1 ? undefined : true);
    }
    await stateOf('run-out', id, 'dead_lettered');
    expect(await receipt('run-out', id)).toMatchObject({ reason: 'ATTEMPTS_EXCEEDED', attempts: 5 });
  });
});

it('connections that were cut never lead to a dead letter, however many', { tags: ['long'] }, async () => {
  const id = await sendTo('cut', 'hello');
  for (let attempt = 1; attempt <= 5; attempt++) {
    const asked = rawRequest('cut', '{}');
    asked.on('response', (response) => response.socket.resetAndDestroy());
    await eventually(`attempt ${attempt} came back`, async () => {
      const { state, attempts } = await receipt('cut', id);
      return state === 'pending' && attempts === attempt;
    });
  }
  const as = { agent: 'ben', session: 'cut' };
  await call(hub.url, 'get_messages', { ack: 'manual' }, as);
  await stateOf('cut', id, 'pending');
  expect((await inbox('cut')).messages).toMatchObject([{ id, redelivered: true }]);
});

it('a manual lease whose answer was cut comes back at once, and never counts as run out', async () => {
  const id = await sendTo('cut-manual', 'hello');
  for (let attempt = 1; attempt <= 6; attempt++) {
    const asked = rawRequest('cut-manual', JSON.stringify({ ack: 'manual' }));
    asked.on('response', (response) => response.socket.resetAndDestroy());
    await eventually(`attempt ${attempt} came back`, async () => {
      const { state, attempts } = await receipt('cut-manual', id);
      return state === 'pending' && attempts === attempt;
    });
  }
});

it('what a reader gives back comes again even after it was read', async () => {
  const id = await sendTo('unread-again', 'hello');
  const as = { agent: 'ben', session: 'unread-again' };
  await call(hub.url, 'ack_messages', { cursor: (await inbox('unread-again', { ack: 'manual' })).cursor }, as);
  expect(await receipt('unread-again', id)).toMatchObject({ state: 'read' });
  expect(await call(hub.url, 'ack_messages', { ids: [id], release: true }, as)).toMatchObject({ acknowledged: [id] });
  expect((await inbox('unread-again')).messages).toMatchObject([{ id, redelivered: true }]);
});

it('looking without reading changes nothing, and pages by its own cursor', async () => {
  for (const text of ['one', 'two', 'three']) await sendTo('peek', text);
  const first = await inbox('peek', { markAsRead: false, limit: 2 });
  expect(first).toMatchObject({ hasMore: true });
  const rest = await inbox('peek', { markAsRead: false, limit: 2, cursor: first.cursor });
  expect([...first.messages, ...rest.messages].map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3]);
  const taken = await inbox('peek');
  expect(taken.messages).toHaveLength(3);
  expect(taken.messages[0]).not.toHaveProperty('redelivered');
});

it('the reader can look again at what it was handed, whatever its state', async () => {
  const id = await sendTo('recent', 'hello');
  await inbox('recent');
  const again = await inbox('recent', { include: 'recent' });
  expect(again.messages).toMatchObject([{ id, state: expect.stringMatching(/delivered|read/) }]);
  expect((await receipt('recent', id)).attempts).toBe(1);
});

it('a message past its time is never delivered, and its sender sees why', async () => {
  const id = await sendTo('ttl', 'quick', { ttl: 1 });
  await stateOf('ttl', id, 'expired');
  expect((await inbox('ttl')).messages).toEqual([]);
  expect(await receipt('ttl', id)).toMatchObject({ state: 'expired', reason: 'EXPIRED' });
});

it('a retry with the same key is the same message, with other content a conflict', async () => {
  const first = await sendTo('key', 'hello', { idempotency_key: 'k1' });
  const retries = await Promise.all(
    Array.from({ length: 20 }, () => sendTo('key', 'hello', { idempotency_key: 'k1' })),
  );
  expect(new Set(retries)).toEqual(new Set([first]));
  await expect(sendTo('key', 'other', { idempotency_key: 'k1' })).rejects.toThrow('IDEMPOTENCY_CONFLICT');
  expect((await inbox('key')).messages).toHaveLength(1);
});
