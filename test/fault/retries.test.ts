// A key makes a retry safe: many at once, and after a hub that died between the commit and its answer.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { call, post } from '../support/http-call.js';

const dying = fileURLToPath(new URL('dies-after-commit.mjs', import.meta.url));

const ann = { agent: 'ann' };
const send = (url: string, key: string) =>
  post(url, 'send_message', { target: 'ben', message: 'once', idempotency_key: key }, ann);
const inboxOf = async (url: string) =>
  (await call(url, 'get_messages', { limit: 500, markAsRead: false }, { agent: 'ben' })).messages;

it('200 retries at once make one message', async () => {
  const { url } = await startHubProcess();
  for (const agentId of ['ann', 'ben']) await call(url, 'register_agent', { agentId }, { agent: agentId });
  const answers = await Promise.all(Array.from({ length: 200 }, () => send(url, 'the-key')));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(new Set(answers.map(({ body }) => body.messageId)).size).toBe(1);
  expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
  expect(await inboxOf(url)).toHaveLength(1);
});

it('a retry after a kill between commit and answer gets the first result', async () => {
  const data = tempFolder();
  const first = await startHubProcess({ data });
  for (const agentId of ['ann', 'ben']) await call(first.url, 'register_agent', { agentId }, { agent: agentId });
  await first.stop();
  const second = await startHubProcess({ data, script: dying });
  await expect(send(second.url, 'lost-answer')).rejects.toThrow();
  const { url } = await startHubProcess({ data });
  const retries = await Promise.all(Array.from({ length: 20 }, () => send(url, 'lost-answer')));
  expect(retries.every(({ status, body }) => status === 200 && body.duplicate)).toBe(true);
  const inbox = await inboxOf(url);
  expect(inbox).toHaveLength(1);
  expect(retries[0]?.body.messageId).toBe(inbox[0].id);
  const other = { target: 'ben', message: 'another', idempotency_key: 'lost-answer' };
  expect((await post(url, 'send_message', other, ann)).body.error.code).toBe('IDEMPOTENCY_CONFLICT');
});
