// A wait never loses a message: several waits, bursts, races, limits, clients that go away.
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store } from '../../dist/ports/store.js';
import { eventually } from '../support/eventually.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { call, post } from '../support/http-call.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { parkedAt } from '../support/metrics.js';
import { useHub } from '../support/use-hub.js';

interface Said {
  content: { text: string }[];
}

const hub = useHub({ args: ['--client-wait-ms', '1500'] });

const parked = (count: number) => parkedAt(hub, count);

async function pair(session: string): Promise<void> {
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
}

describe('several waits of one agent', () => {
  it('give every message of a burst to exactly one of them', async () => {
    const session = 'burst';
    await pair(session);
    const seen: string[] = [];
    const texts = Array.from({ length: 200 }, (_, index) => `message ${index}`);
    const waiter = async () => {
      while (seen.length < texts.length) {
        const got = await call(hub.url, 'wait_for_mentions', { timeoutMs: 400, limit: 3 }, { agent: 'ben', session });
        for (const message of got.messages) {
          expect(message.redelivered).toBeUndefined();
          seen.push(message.content[0].text);
        }
      }
    };
    const waiters = [waiter(), waiter(), waiter()];
    await Promise.all(
      texts.map((message) => call(hub.url, 'send_message', { target: 'ben', message }, { agent: 'ann', session })),
    );
    await eventually('all messages handed out', () => seen.length >= texts.length);
    await Promise.all(waiters);
    expect(seen.toSorted()).toEqual(texts.toSorted());
  });

  it('are served first come, first served', async () => {
    const session = 'queue';
    await pair(session);
    const order: string[] = [];
    const wait = async (name: string) => {
      const got = await call(hub.url, 'wait_for_mentions', { timeoutMs: 10_000 }, { agent: 'ben', session });
      order.push(`${name}: ${got.messages[0].content[0].text}`);
    };
    const first = wait('first');
    await parked(1);
    const second = wait('second');
    await parked(2);
    await call(hub.url, 'send_message', { target: 'ben', message: 'one' }, { agent: 'ann', session });
    await first;
    await call(hub.url, 'send_message', { target: 'ben', message: 'two' }, { agent: 'ann', session });
    await second;
    expect(order).toEqual(['first: one', 'second: two']);
  });
});

it('a message that arrives between the check for unread and the parking of the wait is not missed', async () => {
  let sendBetween: (() => Promise<unknown>) | undefined;
  const forced = await startHubInProcess({
    wrapStore: (store) => ({
      ...store,
      // The store has answered "nothing unread"; before the wait hears of it, a message is sent and committed.
      async leaseCopies(request) {
        const found = await store.leaseCopies(request);
        const send = sendBetween;
        sendBetween = undefined;
        await send?.();
        return found;
      },
    }),
  });
  for (const agentId of ['ann', 'ben']) await call(forced.url, 'register_agent', { agentId });
  for (let round = 0; round < 20; round++) {
    sendBetween = () =>
      call(forced.url, 'send_message', { target: 'ben', message: `round ${round}` }, { agent: 'ann' });
    const got = await call(forced.url, 'wait_for_mentions', { timeoutMs: 20_000 }, { agent: 'ben' });
    expect(got.messages[0].content[0].text).toBe(`round ${round}`);
    expect(got.waitedMs).toBeLessThan(5_000);
  }
});

it('a wait that reads while its hub is stopped still answers', { tags: ['long'] }, async () => {
  let stopBetween: (() => void) | undefined;
  const forced = await startHubInProcess({
    wrapStore: (store) => ({
      ...store,
      // The store has answered "nothing unread"; before the wait hears of it, the hub is stopped.
      async leaseCopies(request) {
        const found = await store.leaseCopies(request);
        stopBetween?.();
        return found;
      },
    }),
  });
  await call(forced.url, 'register_agent', { agentId: 'ben' });
  let stopped: Promise<void> | undefined;
  stopBetween = () => {
    stopBetween = undefined;
    stopped = forced.stop();
  };
  const got = await call(forced.url, 'wait_for_mentions', { timeoutMs: 60_000 }, { agent: 'ben' });
  expect(got).toMatchObject({ messages: [], timedOut: true });
  await stopped;
});

it('a message that arrives while a wait takes another one wakes the next wait of the agent', async () => {
  let sendBetween: (() => Promise<unknown>) | undefined;
  const forced = await startHubInProcess({
    wrapStore: (store) => ({
      ...store,
      // The first wait has taken its message; before it hears of that, a second one is sent, whose signal it gets. The
      // store keeps no wait here: they are woken by hints alone.
      async leaseCopies(request) {
        const found = await store.leaseCopies({ ...request, wait: undefined });
        const send = found.copies.length > 0 ? sendBetween : undefined;
        if (send !== undefined) sendBetween = undefined;
        await send?.();
        return found;
      },
    }),
  });
  for (const agentId of ['ann', 'ben']) await call(forced.url, 'register_agent', { agentId });
  const send = (message: string) => call(forced.url, 'send_message', { target: 'ben', message }, { agent: 'ann' });
  const waits = [1, 2].map(() => call(forced.url, 'wait_for_mentions', { timeoutMs: 20_000 }, { agent: 'ben' }));
  await parkedAt(forced, 2);
  sendBetween = () => send('second');
  await send('first');
  const answers = await Promise.all(waits);
  const texts = answers.flatMap(({ messages }) => messages.map((message: Said) => message.content[0]?.text));
  expect(new Set(texts)).toEqual(new Set(['first', 'second']));
  for (const { waitedMs } of answers) expect(waitedMs).toBeLessThan(10_000);
});

it('a lost hint costs time, never the message: a wait reads once more before it says that nothing came', async () => {
  let inner: Store | undefined;
  const deaf = await startHubInProcess({
    wrapStore: (store) => {
      inner = store;
      return store;
    },
  });
  for (const agentId of ['ann', 'ben']) await call(deaf.url, 'register_agent', { agentId });
  const waiting = call(deaf.url, 'wait_for_mentions', { timeoutMs: 3_000 }, { agent: 'ben' });
  await parkedAt(deaf, 1);
  // Stored behind the hub's back, as another hub would: nobody hints at it.
  const caller = {
    sessionId: 'default',
    agentId: 'ann',
    capabilities: new Set<never>(),
    owner: 'open',
    connectAs: String,
    grant: null,
    address: '',
  };
  const draft = operations.sendMessage.input.parse({ content: 'unannounced', target: 'ben' });
  await inner?.appendMessage(planSend(caller, draft, Date.now()));
  expect(await waiting).toMatchObject({ timedOut: false, messages: [{ content: [{ text: 'unannounced' }] }] });
});

it('a wait for mentions leaves plain thread posts unread; a wait for all takes them', async () => {
  const session = 'kinds';
  await pair(session);
  const { threadId } = await call(
    hub.url,
    'create_thread',
    { title: 'T', participants: ['ben'] },
    { agent: 'ann', session },
  );
  await call(hub.url, 'send_message', { threadId, content: 'plain' }, { agent: 'ann', session });
  await call(hub.url, 'send_message', { threadId, content: 'hello @ben.' }, { agent: 'ann', session });
  const mentions = await call(hub.url, 'wait_for_mentions', { timeoutMs: 50 }, { agent: 'ben', session });
  expect(mentions.messages).toMatchObject([{ why: 'system' }, { why: 'mention', mentions: ['ben'] }]);
  const all = await call(hub.url, 'wait_for_mentions', { timeoutMs: 50, for: 'all' }, { agent: 'ben', session });
  expect(all.messages).toMatchObject([{ why: 'thread' }]);
});

it('filters leave other messages unread, and an interrupt passes every filter', async () => {
  const session = 'filters';
  await pair(session);
  await call(hub.url, 'register_agent', { agentId: 'cyn' }, { session });
  const waiting = call(hub.url, 'wait_for_mentions', { timeoutMs: 10_000, from: 'cyn' }, { agent: 'ben', session });
  await parked(1);
  await call(hub.url, 'send_message', { target: 'ben', message: 'from ann' }, { agent: 'ann', session });
  await call(
    hub.url,
    'send_message',
    { target: 'ben', message: 'stop!', action: 'interrupt' },
    { agent: 'ann', session },
  );
  expect((await waiting).messages).toMatchObject([{ action: 'interrupt' }]);
  const left = await call(hub.url, 'get_messages', {}, { agent: 'ben', session });
  expect(left.messages).toMatchObject([{ content: [{ text: 'from ann' }] }]);
});

it('reads interrupts first, then by priority, then oldest first', async () => {
  const session = 'order';
  await pair(session);
  for (const [message, extra] of [
    ['low', { priority: 'low' }],
    ['normal 1', {}],
    ['high', { priority: 'high' }],
    ['normal 2', {}],
    ['now', { action: 'interrupt', priority: 'low' }],
  ] as const) {
    await call(hub.url, 'send_message', { target: 'ben', message, ...extra }, { agent: 'ann', session });
  }
  const got = await call(hub.url, 'get_messages', {}, { agent: 'ben', session });
  expect(got.messages.map((message: { content: { text: string }[] }) => message.content[0]?.text)).toEqual([
    'now',
    'high',
    'normal 1',
    'normal 2',
    'low',
  ]);
});

describe('a client that goes away', () => {
  it('frees its wait at once', async () => {
    await pair('gone');
    const body = JSON.stringify({ timeoutMs: 60_000 });
    const waiting = httpRequest(`${hub.url}/v1/wait_for_mentions`, {
      method: 'POST',
      headers: { 'coterie-agent': 'ben', 'coterie-session': 'gone', 'content-length': body.length },
    });
    waiting.on('error', () => {});
    waiting.end(body);
    await parked(1);
    waiting.destroy();
    await parked(0);
  });

  it.each(generations)(
    'or cancels its call through client %s, frees its wait and loses nothing',
    async (generation) => {
      const session = `cancel-${generation.replaceAll(' ', '-')}`;
      await pair(session);
      const client = await connectMcp(generation, `${hub.url}/mcp?agent=ben&session=${session}`);
      const abort = new AbortController();
      const waiting = client.call('wait_for_mentions', { timeoutMs: 1400 }, { signal: abort.signal });
      await parked(1);
      abort.abort();
      await expect(waiting).rejects.toThrow();
      await parked(0);
      await call(hub.url, 'send_message', { target: 'ben', message: 'still there?' }, { agent: 'ann', session });
      const got = await client.call('wait_for_mentions', { timeoutMs: 1000 });
      expect(got.structured.messages).toHaveLength(1);
      expect(got.structured.messages[0]).not.toHaveProperty('redelivered');
      await client.close();
    },
  );
});

describe('limits of the client', () => {
  it.each(generations)('a longer wait through client %s is cut and says so', { tags: ['long'] }, async (generation) => {
    const session = `clamp-${generation.replaceAll(' ', '-')}`;
    await pair(session);
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=ben&session=${session}`);
    const got = await client.call('wait_for_mentions', { timeoutMs: 600_000 });
    expect(got.structured).toMatchObject({ timedOut: true, clampedToMs: 1500 });
    const next = "Call wait_for_mentions again (this call was shortened to 1500 ms, below your client's own timeout).";
    expect(got.text).toBe(`No new messages received within the timeout period\n${next}`);
    expect(got.structured.next).toBe(next);
    await client.close();
  });

  it('HTTP waits as asked', { tags: ['long'] }, async () => {
    await pair('http-wait');
    const { status, body } = await post(
      hub.url,
      'wait_for_mentions',
      { timeoutMs: 1800 },
      { agent: 'ben', session: 'http-wait' },
    );
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('clampedToMs');
    expect(body.waitedMs).toBeGreaterThanOrEqual(1790);
  });
});
