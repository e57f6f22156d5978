// Whoever holds a key loses it within a second, on every hub: what waits ends, what streams ends, what comes is refused.
import { describe, expect, it } from 'vitest';
import { hubsAt } from '../support/hub-team.js';
import { makeKey, revokeKey, type TestKey } from '../support/keys.js';
import { ownMsOf } from '../support/own-time.js';
import { startedBefore } from '../support/use-hub.js';
import { ask, askOperation, bearer } from './ask.js';
import { startKeyedHub } from './key-states.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { parkedAt } from './parked.js';

const hub = startedBefore(startKeyedHub);

/** Revoked at the first hub; each case holds on to the last. */
const lastHub = () => hubsAt(hub.url).at(-1) ?? hub.url;

let number = 0;
async function newKey(): Promise<TestKey> {
  number += 1;
  return makeKey(hub.store, { agent: `agent-${number}` });
}

async function endedWithinASecond(key: TestKey, ended: Promise<unknown>): Promise<void> {
  await revokeKey(hub.store, key);
  expect(await ownMsOf(lastHub(), ended)).toBeLessThan(1_000);
}

describe('revoking a key', () => {
  it('ends a parked wait over HTTP', async () => {
    const key = await newKey();
    const wait = askOperation(lastHub(), 'wait_for_mentions', { timeoutMs: 60_000 }, [bearer(key.text)]);
    await parkedAt(lastHub(), hub.keys.admin, 1);
    await endedWithinASecond(key, wait);
    const { status, body } = await wait;
    expect([status, body.error.code, body.error.details.reason]).toEqual([401, 'KEY_INVALID', 'revoked']);
  });

  it.each(generations)('ends a parked wait over MCP, for the client %s', async (generation) => {
    const key = await newKey();
    const client = await connectMcp(generation, `${lastHub()}/mcp`, { key: key.text });
    const wait = client.call('wait_for_mentions', { timeoutMs: 60_000 }).then(
      () => 'answered',
      (error: unknown) => String(error),
    );
    await parkedAt(lastHub(), hub.keys.admin, 1);
    await endedWithinASecond(key, wait);
    expect(await wait).toMatch(/401|revoked|KEY_INVALID/);
    await client.close().catch(() => {});
  });

  it('ends a parked wait over MCP that reports progress', async () => {
    const key = await newKey();
    const client = await connectMcp('v2 2026', `${lastHub()}/mcp`, { key: key.text });
    const wait = client.call('wait_for_mentions', { timeoutMs: 40_000 }, { onprogress: () => {} }).catch(String);
    await parkedAt(lastHub(), hub.keys.admin, 1);
    await endedWithinASecond(key, wait);
    await client.close().catch(() => {});
  });

  it('ends a wait for answers to a critical thread', async () => {
    const key = await newKey();
    await askOperation(hub.url, 'register_agent', {}, [bearer(hub.keys.noAdmin)]);
    const opened = { title: 'now', participants: ['noAdmin'], initial_message: 'who?', timeout_ms: 60_000 };
    const wait = askOperation(lastHub(), 'create_critical_thread', opened, [bearer(key.text)]);
    await parkedAt(lastHub(), hub.keys.admin, 1);
    await endedWithinASecond(key, wait);
    expect((await wait).status).toBe(401);
  });

  it('ends a stream of events', async () => {
    const key = await newKey();
    const stream = await fetch(`${lastHub()}/v1/events`, { headers: { authorization: `Bearer ${key.text}` } });
    expect(stream.status).toBe(200);
    await endedWithinASecond(
      key,
      stream.text().catch(() => {}),
    );
  });

  it('refuses the next request at every hub, also on a connection that is open', async () => {
    const key = await newKey();
    for (const url of hubsAt(hub.url)) {
      expect((await ask(url, { path: '/v1/openapi.json', headers: [bearer(key.text)] })).status).toBe(200);
    }
    const allRefused = async () => {
      for (const url of hubsAt(hub.url)) {
        while ((await ask(url, { path: '/v1/openapi.json', headers: [bearer(key.text)] })).status !== 401);
      }
    };
    await revokeKey(hub.store, key);
    expect(await ownMsOf(lastHub(), allRefused())).toBeLessThan(1_000);
  });

  it('leaves the waits of other keys alone', async () => {
    const [gone, stays] = [await newKey(), await newKey()];
    const ends = askOperation(lastHub(), 'wait_for_mentions', { timeoutMs: 60_000 }, [bearer(gone.text)]);
    const waits = askOperation(lastHub(), 'wait_for_mentions', { timeoutMs: 60_000 }, [bearer(stays.text)]);
    await parkedAt(lastHub(), hub.keys.admin, 2);
    await endedWithinASecond(gone, ends);
    await askOperation(hub.url, 'send_message', { target: `agent-${number}`, message: 'hello' }, [
      bearer(hub.keys.admin),
    ]);
    expect((await waits).body.messages).toHaveLength(1);
  });
});

it('a key that expires ends its wait as well', async () => {
  const leftMs = 1_500;
  const key = await makeKey(hub.store, { agent: 'brief', expiresAt: Date.now() + leftMs });
  const waiting = askOperation(lastHub(), 'wait_for_mentions', { timeoutMs: 60_000 }, [bearer(key.text)]);
  expect(await ownMsOf(lastHub(), waiting)).toBeLessThan(leftMs + 1_000);
  const { status, body } = await waiting;
  expect([status, body.error.details.reason]).toEqual([401, 'expired']);
});
