// A webhook has no companion that would lose its key, so it ends with the last key of its agent.
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';
import { movableClock } from '../support/movable-clock.js';
import { startRecordingServer } from '../support/recording-server.js';

const clock = movableClock();
const server = await startRecordingServer();
const keyed = useKeyedHub({ boss: ['admin'], ada: agentRights }, { clock, args: ['--wake-hosts', server.host] });

/** An agent whose key has just set a webhook. */
async function hooked(agentId: string, ttl?: number) {
  const { secret, key } = await keyed.call('boss', 'create_key', { agentId, ttl });
  const by = (operation: string, input: object) => call(keyed.hub.url, operation, input, { key: secret });
  await by('set_wake_route', { kind: 'webhook', url: `${server.url}/${agentId}` });
  clock.advance(6_000);
  return {
    keyId: key.id,
    routes: async () => (await keyed.call('boss', 'list_wakes', { agent: agentId })).routes.length,
    send: () => keyed.call('ada', 'send_message', { target: agentId, content: 'Hello' }),
    posts: () => server.posted.filter(({ path }) => path === `/${agentId}`).length,
  };
}

/** Long enough for every hub to look at its routes. */
async function looked(): Promise<void> {
  const last = await hooked(`last-${server.posted.length}`);
  for (let seconds = 0; seconds < 20; seconds += 1) clock.advance(1_000);
  await last.send();
  await eventually('a later webhook was called', () => last.posts() > 0);
}

it('is not called any more when the last key of its agent was revoked, and is removed', async () => {
  const ben = await hooked('ben');
  const other = await keyed.call('boss', 'create_key', { agentId: 'ben' });
  await keyed.call('boss', 'revoke_key', { keyId: other.key.id });
  expect(await ben.routes()).toBe(1);
  await keyed.call('boss', 'revoke_key', { keyId: ben.keyId });
  expect(await ben.routes()).toBe(0);
  // A new key for the name does not bring it back.
  await keyed.call('boss', 'create_key', { agentId: 'ben' });
  await ben.send();
  await looked();
  expect(ben.posts()).toBe(0);
});

it('is not called any more when the last key of its agent has expired, and is removed', async () => {
  const cyn = await hooked('cyn', 60);
  clock.advance(61_000);
  await cyn.send();
  await eventually('its route is removed', async () => {
    clock.advance(1_000);
    return (await cyn.routes()) === 0;
  });
  await looked();
  expect(cyn.posts()).toBe(0);
});
