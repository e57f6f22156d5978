// An idempotency key belongs to its sender, keeps its first answer for a day, and is then forgotten.
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';

const dayMs = 24 * 60 * 60 * 1000;
const clock = movableClock();
const hub = useHub({ clock });

beforeAll(async () => {
  for (const agentId of ['ann', 'ben', 'cas']) await call(hub.url, 'register_agent', { agentId }, { agent: agentId });
});

const send = (agent: string, key: string, message = 'hello') =>
  post(hub.url, 'send_message', { target: 'cas', message, idempotency_key: key }, { agent });

it('two senders may use the same key', async () => {
  const [ann, ben] = [await send('ann', 'shared'), await send('ben', 'shared', 'another')];
  expect(ann.body.messageId).not.toBe(ben.body.messageId);
  expect(ben.body.duplicate).toBe(false);
});

it('more keys than are kept in memory are all remembered', { tags: ['long'], timeout: 300_000 }, async () => {
  const keys = Array.from({ length: 2_500 }, (_, index) => `many-${index}`);
  const firsts = new Map<string, string>();
  for (let from = 0; from < keys.length; from += 250) {
    const page = keys.slice(from, from + 250);
    const answers = await Promise.all(page.map((key) => send('ann', key)));
    for (const [index, { body }] of answers.entries()) firsts.set(page[index] ?? '', body.messageId);
  }
  for (const key of ['many-0', 'many-999', 'many-1000', 'many-1001', 'many-2499']) {
    expect((await send('ann', key)).body).toMatchObject({ messageId: firsts.get(key), duplicate: true });
  }
});

it('is kept for a day, then it is a new key', async () => {
  const first = (await send('ann', 'daily')).body;
  clock.advance(dayMs - 60_000);
  expect((await send('ann', 'daily')).body).toMatchObject({ messageId: first.messageId, duplicate: true });
  expect((await send('ann', 'daily', 'other')).body.error.code).toBe('IDEMPOTENCY_CONFLICT');
  clock.advance(120_000);
  await eventually('the key is forgotten', async () => !(await send('ann', 'daily')).body.duplicate);
});

it('a key that opened a thread is refused for a message, with an attachment too', async () => {
  const key = 'for a thread';
  await call(hub.url, 'create_thread', { title: 'T', participants: ['ben'], idempotency_key: key }, { agent: 'ann' });
  expect((await send('ann', key)).body.error.code).toBe('IDEMPOTENCY_CONFLICT');
  const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'aGVsbG8=' } };
  const input = { target: 'cas', content: [image], idempotency_key: key };
  const { body } = await post(hub.url, 'send_message', input, { agent: 'ann' });
  expect(body.error.code).toBe('IDEMPOTENCY_CONFLICT');
});
