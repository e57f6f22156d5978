// Long answers, many at once, to clients that read them and to clients that do not.
import { expect, it } from 'vitest';
import { configFile } from '../support/config-file.js';
import { call, post } from '../support/http-call.js';
import { healthDuring, healthMsMax, startSmallHub } from './attacked-hub.js';
import { askWithoutReading, peakMiB, peakMiBMax, sendLong, type Request } from './long-messages.js';

const messages = 60;
const atOnce = 16;

interface Message {
  content: { text: string }[];
  redelivered?: boolean;
}

async function startFilledHub(limits: Record<string, number> = {}) {
  const hub = await startSmallHub({ args: ['--config', configFile({ limits })] });
  for (const agentId of ['sender', 'reader']) await call(hub.url, 'register_agent', { agentId }, { agent: agentId });
  const team = { title: 'Long', participants: ['reader'] };
  const { threadId } = await call(hub.url, 'create_thread', team, { agent: 'sender' });
  return { hub, threadId: threadId as string };
}

const everyList = (threadId: string): Record<string, Record<string, unknown>> => ({
  get_messages: { limit: 500, markAsRead: false },
  get_thread: { threadId, limit: 500 },
  query_message_history: { threadId, limit: 100 },
  get_session_history: { limit: 100 },
  search_messages: { query: 'x', limit: 50 },
});

it('a hub with a small heap survives many long answers at once', { tags: ['long'], timeout: 120_000 }, async () => {
  const { hub, threadId } = await startFilledHub();
  await sendLong(hub.url, { threadId }, messages);
  const lists = Object.entries(everyList(threadId));
  const health = await healthDuring(hub.url, async () => {
    const unread: Promise<unknown>[] = [];
    const read: Promise<unknown>[] = [];
    for (const [operation, input] of lists) {
      for (let index = 0; index < atOnce; index += 1) {
        const agent = 'reader';
        unread.push(askWithoutReading(hub.url, { path: `/v1/${operation}`, agent, body: input }));
        unread.push(askWithoutReading(hub.url, overMcp(operation, input)));
        // Refused ones say when to come again.
        read.push(post(hub.url, operation, input, { agent }));
      }
    }
    await Promise.all([...unread, ...read]);
    await Promise.all(
      Array.from({ length: atOnce }, () => post(hub.url, 'get_messages', { limit: 500 }, { agent: 'reader' })),
    );
  });
  expect(health).toMatchObject({ failures: 0 });
  expect(health.slowestMs).toBeLessThan(healthMsMax);
  expect(peakMiB(hub.pid)).toBeLessThan(peakMiBMax);
});

function overMcp(name: string, input: Record<string, unknown>): Request {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
  return {
    path: '/mcp?agent=reader',
    agent: 'reader',
    body,
    headers: { accept: 'application/json, text/event-stream' },
  };
}

it('answers that a caller does not read are bounded: BUSY says when to come again, and nothing is taken', async () => {
  // Less than one page: every page is too much, and a wait's few messages are not.
  const { hub, threadId } = await startFilledHub({ answerBytesPerCaller: 1024 * 1024 });
  await call(hub.url, 'send_message', { threadId, content: 'short', mentions: ['reader'] }, { agent: 'sender' });
  const response = await fetch(`${hub.url}/v1/get_messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'coterie-agent': 'reader' },
    body: JSON.stringify({ ack: 'manual' }),
  });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({ error: { code: 'BUSY', details: { retryAfterMs: 1_000 } } });
  for (const operation of ['get_session_history', 'get_sent_messages', 'get_dead_letters']) {
    const { body } = await post(hub.url, operation, {}, { agent: 'reader' });
    expect(body, operation).toMatchObject({ error: { code: 'BUSY' } });
  }
  const { messages: taken } = await call(hub.url, 'wait_for_mentions', { timeoutMs: 0 }, { agent: 'reader' });
  expect(taken.map(({ content }: Message) => content[0]?.text)).toContain('short');
  expect(taken.filter(({ redelivered }: Message) => redelivered === true)).toEqual([]);
});
