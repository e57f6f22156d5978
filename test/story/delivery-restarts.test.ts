// A restart of the hub: what had arrived does not come again, what was in doubt does, marked.
import { expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { connectMcp } from '../support/mcp-clients.js';

it('an answer that arrived just before the hub was stopped does not come again', async () => {
  const own = await startHubProcess();
  await call(own.url, 'register_agent', { agentId: 'ben' });
  await call(own.url, 'send_message', { target: 'ben', message: 'hello' }, { agent: 'ann' });
  expect((await call(own.url, 'get_messages', {}, { agent: 'ben' })).messages).toHaveLength(1);
  expect(await own.stop()).toBe(0);
  const restarted = await startHubProcess({ data: own.data });
  expect((await call(restarted.url, 'get_messages', {}, { agent: 'ben' })).messages).toEqual([]);
});

it('what was in doubt when the hub died comes again, marked, after its restart', async () => {
  const own = await startHubProcess();
  const as = { session: 'default' };
  for (const agentId of ['ann', 'ben']) await call(own.url, 'register_agent', { agentId }, as);
  const sent = await call(own.url, 'send_message', { source: 'ann', target: 'ben', message: 'hello' });
  const client = await connectMcp('v2 2026', `${own.url}/mcp?agent=ben`);
  expect((await client.call('wait_for_mentions', {})).structured.messages).toHaveLength(1);
  await own.kill();
  const restarted = await startHubProcess({ data: own.data });
  const got = await call(restarted.url, 'wait_for_mentions', { agentId: 'ben' });
  expect(got.messages).toMatchObject([{ id: sent.messageId, redelivered: true }]);
  await client.close().catch(() => {});
});
