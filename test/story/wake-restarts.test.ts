// Routes and wakes survive the hub's death: the companion asks again, at the hub that is there then.
import { expect, it } from 'vitest';
import { companionOf, confirmedWake } from '../support/companion.js';
import { configFile } from '../support/config-file.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';

// So that an agent that has just called can be woken.
const config = () => configFile({ limits: { wakeGraceMs: 1, wakeQuietMs: 1 } });

it('a wake in the middle of kill -9 is handed out again, confirmed, and its mail read once', async () => {
  const args = ['--config', config()];
  const first = await startHubProcess({ args });
  const ben = { url: first.url, session: 'default', agent: 'ben' };
  for (const agentId of ['ada', 'ben']) await call(first.url, 'register_agent', { agentId });
  const companion = await companionOf(ben);
  const parked = companion.wait().catch(() => 'lost');
  await call(first.url, 'send_message', { target: 'ben', content: 'Hello' }, { agent: 'ada' });
  const before = (await parked) as { wake: { wakeId: string } };
  expect(before.wake).toMatchObject({ unread: 1 });
  await first.kill();

  const second = await startHubProcess({ args, data: first.data });
  const again = { routeId: companion.routeId, companion: 'c1', timeoutMs: 60_000 };
  const after = await call(second.url, 'await_wake', again, { agent: 'ben' });
  expect(after.wake).toEqual(before.wake);
  const report = { wakeId: after.wake.wakeId, routeId: companion.routeId, outcome: 'accepted' };
  await call(second.url, 'report_wake', report, { agent: 'ben' });
  await second.kill();

  const third = await startHubProcess({ args, data: first.data });
  expect((await call(third.url, 'get_messages', {}, { agent: 'ben' })).messages).toHaveLength(1);
  expect((await confirmedWake({ ...ben, url: third.url })).attempts).toMatchObject([{ state: 'confirmed' }]);
  expect((await call(third.url, 'list_wakes', {}, { agent: 'ben' })).wakes).toHaveLength(1);
  expect((await call(third.url, 'get_messages', {}, { agent: 'ben' })).messages).toEqual([]);
});

it('a companion that waited at a hub that died is woken at the next one', async () => {
  const args = ['--config', config()];
  const first = await startHubProcess({ args });
  for (const agentId of ['ada', 'ben']) await call(first.url, 'register_agent', { agentId });
  const companion = await companionOf({ url: first.url, session: 'default', agent: 'ben' });
  const parked = companion.wait().catch(() => 'lost');
  await first.kill();
  expect(await parked).toBe('lost');
  const second = await startHubProcess({ args, data: first.data });
  await call(second.url, 'send_message', { target: 'ben', content: 'Hello' }, { agent: 'ada' });
  const again = { routeId: companion.routeId, companion: 'c1', timeoutMs: 60_000 };
  expect((await call(second.url, 'await_wake', again, { agent: 'ben' })).wake).toMatchObject({ unread: 1 });
});
