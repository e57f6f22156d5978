// A filtered read of a deep inbox files first. While the disk takes no write it finds the same copies without.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HubError } from '../../dist/contract/errors.js';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import { call } from '../support/http-call.js';
import { startHubInProcess, type HubInProcess } from '../support/hub-in-process.js';
import { openCaller } from '../support/open-caller.js';

let hub: HubInProcess;

beforeAll(async () => {
  hub = await startHubInProcess({
    wrapStore: (store) => ({
      ...store,
      fileCopies: () => Promise.reject(new HubError('STORE_FULL', 'The disk is full.', { hint: 'Wait.' })),
    }),
  });
  for (const agentId of ['ann', 'ben', 'eve']) await call(hub.url, 'register_agent', { agentId });
  const send = (sender: string, content: string, more = {}) => {
    const draft = operations.sendMessage.input.parse({ target: 'ben', content, ...more });
    return hub.store.appendMessage(planSend(openCaller('default', sender), draft, Date.now()));
  };
  await Promise.all(Array.from({ length: 1_100 }, () => send('eve', 'one of many')));
  await send('ann', 'here', { messageType: 'QUERY' });
});
afterAll(() => hub.stop());

it.each([
  ['a look', 'get_messages', { message_type: 'QUERY', markAsRead: false }],
  ['a wait', 'wait_for_mentions', { from: 'ann', timeoutMs: 5_000, ack: 'manual' }],
] as const)('%s finds what it filters for', async (_, operation, more) => {
  const { messages } = await call(hub.url, operation, more, { agent: 'ben' });
  expect(messages).toMatchObject([{ content: [{ text: 'here' }] }]);
});

it('a wait that finds nothing is parked, and woken', async () => {
  const found = call(hub.url, 'wait_for_mentions', { from: 'zoe', timeoutMs: 20_000 }, { agent: 'ben' });
  await call(hub.url, 'register_agent', { agentId: 'zoe' });
  await call(hub.url, 'send_message', { target: 'ben', message: 'late' }, { agent: 'zoe' });
  expect((await found).messages).toMatchObject([{ content: [{ text: 'late' }] }]);
});
