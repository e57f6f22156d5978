// A store that refuses a verdict for a while must hear it again: nothing else ends an automatic lease.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HubError } from '../../dist/contract/errors.js';
import { eventually } from '../support/eventually.js';
import { startHubInProcess, type HubInProcess } from '../support/hub-in-process.js';
import { call } from '../support/http-call.js';

let hub: HubInProcess;
let isFull = false;

beforeAll(async () => {
  hub = await startHubInProcess({
    wrapStore: (store) => ({
      ...store,
      confirmLease: (lease) =>
        isFull
          ? Promise.reject(new HubError('STORE_FULL', 'The disk is full.', { hint: 'Wait.' }))
          : store.confirmLease(lease),
    }),
  });
});
afterAll(() => hub.stop());

it('a message that was read while the disk was full becomes read when there is space', async () => {
  await call(hub.url, 'register_agent', { agentId: 'ben' });
  const { messageId } = await call(hub.url, 'send_message', { target: 'ben', message: 'hello' }, { agent: 'ann' });
  const state = async () => (await call(hub.url, 'get_receipts', { messageId }, { agent: 'ann' })).deliveries[0].state;
  isFull = true;
  await call(hub.url, 'get_messages', {}, { agent: 'ben' });
  await call(hub.url, 'list_agents', {}, { agent: 'ben' });
  expect(await state()).toBe('delivered');
  isFull = false;
  await eventually('the verdict is stored', async () => (await state()) === 'read');
});
