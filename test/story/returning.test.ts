// Agents that were away for long, on a clock that runs faster than the wall's.
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { fastClock } from '../support/fast-clock.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub({ clock: fastClock(2_000) });

it('the start barrier opens when an agent that was offline comes back', async () => {
  await call(hub.url, 'register_agent', { agentId: 'ben' });
  await eventually('ben is offline', async () => {
    const { agents } = await call(hub.url, 'list_agents', {});
    return agents[0].presence === 'offline';
  });
  const waiting = call(hub.url, 'wait_for_agents', { agentIds: ['ben'], timeoutMs: 600_000 });
  await call(hub.url, 'get_messages', {}, { agent: 'ben' });
  expect(await waiting).toMatchObject({ complete: true, timedOut: false });
});
