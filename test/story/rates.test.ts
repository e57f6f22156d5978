// How often a key may call, and how often an address may bring a wrong one.
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKeyText } from '../../dist/access/key-text.js';
import type { Store } from '../../dist/ports/store.js';
import { configFile } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { hubsAt } from '../support/hub-team.js';
import { makeKey, keysSeen } from '../support/keys.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';
import { hubsAtOnce } from '../support/world.js';

const burst = 100;
const failures = 5;
const clock = movableClock();
let store: Store;
const hub = useHub({
  clock,
  wrapStore: (wrapped) => (store = wrapped),
  args: ['--config', configFile({ limits: { callsPerSecond: 1, callsBurst: burst, failedKeysPerMinute: failures } })],
});

const get = (path: string, key: string, url = hub.url) =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
const list = (key: string, url = hub.url) =>
  fetch(`${url}/v1/list_agents`, { method: 'POST', body: '{}', headers: { authorization: `Bearer ${key}` } });

/** Calls at one hub until it is refused. */
async function exhaust(key: string, url: string): Promise<{ calls: number; refused: Response }> {
  for (let calls = 0; calls <= 2 * burst; calls++) {
    const answer = await list(key, url);
    if (answer.status !== 200) return { calls, refused: answer };
    await answer.body?.cancel();
  }
  throw new Error('it is never refused');
}

const newKey = (agentId: string) => makeKey(store, { agent: agentId });

let one = '';

beforeAll(async () => {
  for (let calls = 0; calls < 2 * burst; calls++) {
    const answer = await fetch(`${hub.url}/v1/list_agents`, { method: 'POST', body: '{}' });
    // In open mode there is no rate.
    expect(answer.status).toBe(200);
  }
  await newKey('ann');
  await keysSeen(hub.url);
  one = hubsAt(hub.url)[0] ?? '';
});

describe('a key over its rate', () => {
  it('is refused over HTTP with the time after which it may call, and then may', async () => {
    const { text } = await newKey('ann');
    const { calls, refused } = await exhaust(text, one);
    expect(calls).toBeGreaterThanOrEqual(burst);
    expect(calls).toBeLessThan(burst + 20);
    const { error } = (await refused.json()) as { error: { details: { retryAfterMs: number } } };
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retry: 'later', details: { perSecond: 1, burst } });
    const { retryAfterMs } = error.details;
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(1_000);
    clock.advance(retryAfterMs);
    expect((await list(text, one)).status).toBe(200);
  });

  it.each(['/v1/events', '/v1/openapi.json'])(
    'does not get %s, and is not counted with another key of the same agent',
    async (path) => {
      const [busy, idle] = [await newKey('ann'), await newKey('ann')];
      await exhaust(busy.text, one);
      const refused = await get(path, busy.text, one);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect((await list(idle.text, one)).status).toBe(200);
    },
  );

  it.each(generations)('gets a tool error over MCP (%s), and no list of tools', async (generation) => {
    const { text } = await newKey('mia');
    const client = await connectMcp(generation, `${one}/mcp`, { key: text });
    await exhaust(text, one);
    const answer = await client.call('list_agents', {});
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^RATE_LIMITED: .*\n.*again in \d+ ms/),
    });
    expect(answer.meta['coterie/error'].details.retryAfterMs).toBeGreaterThan(0);
    await expect(client.tools()).rejects.toThrow(/RATE_LIMITED|429/);
    clock.advance(10_000);
    expect(await client.tools()).not.toEqual([]);
    await client.close();
  });

  it.runIf(hubsAtOnce > 1)('is soon over it at the other hubs too', async () => {
    const { text } = await newKey('ann');
    const [used = '', ...others] = hubsAt(hub.url);
    await exhaust(text, used);
    for (const other of others) {
      let calls = 0;
      await eventually('another hub has heard of it', async () => {
        const { status } = await list(text, other);
        if (status === 200) calls += 1;
        return status === 429;
      });
      // Alone it would have let a whole burst pass.
      expect(calls).toBeLessThan(burst * 0.75);
    }
  });
});

it('an address with too many wrong keys is told to wait, and a good key from there passes', async () => {
  const wrong = () => list(makeKeyText().text, one);
  for (let attempt = 0; attempt < failures; attempt++) expect((await wrong()).status).toBe(401);
  const refused = await wrong();
  const retryAfter = Number(refused.headers.get('retry-after'));
  expect(refused.status).toBe(429);
  expect(retryAfter).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    error: { code: 'RATE_LIMITED', details: { retryAfterMs: expect.any(Number) } },
  });
  expect((await list((await newKey('ann')).text, one)).status).toBe(200);
  // Without a key it is told so: clients look for how to log in.
  expect((await fetch(`${one}/v1/list_agents`, { method: 'POST', body: '{}' })).status).toBe(401);
  clock.advance(retryAfter * 1_000);
  expect((await wrong()).status).toBe(401);
});
