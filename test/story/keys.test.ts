// A key says who calls: without one that works nothing of the hub is served, and what waits under one ends with it.
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKeyText } from '../../dist/access/key-text.js';
import type { Store } from '../../dist/ports/store.js';
import { hubsAt } from '../support/hub-team.js';
import { makeKey, revokeKey, type TestKey } from '../support/keys.js';
import { connectMcp } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';
import { ownMsOf } from '../support/own-time.js';

let store: Store;
const hub = useHub({ wrapStore: (wrapped) => (store = wrapped) });

function request(path: string, key?: string, input?: unknown, headers: Record<string, string> = {}) {
  return fetch(`${hub.url}${path}`, {
    ...(input === undefined ? {} : { method: 'POST', body: JSON.stringify(input) }),
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
}

// oxlint-disable-next-line typescript/no-explicit-any -- Tests read the fields they promise; a wrong one fails the assertion.
async function bodyOf(response: Response): Promise<any> {
  return response.json();
}

async function refusalOf(response: Response): Promise<{ code: string; reason?: string; said: string }> {
  expect(response.status).toBe(401);
  const { error } = await bodyOf(response);
  const challenge = response.headers.get('www-authenticate') ?? '';
  expect(challenge).toBe(`Bearer error="invalid_token", error_description="${error.message} ${error.hint}"`);
  return { code: error.code, reason: error.details.reason, said: challenge };
}

let ann: TestKey;
beforeAll(async () => {
  expect((await request('/v1/list_agents', undefined, {})).status).toBe(200);
  ann = await makeKey(store, { agent: 'ann' });
  // A running hub sees the first key within a second.
  const seen = async () => {
    for (const url of hubsAt(hub.url)) while ((await fetch(`${url}/metrics`)).status !== 401);
  };
  expect(await ownMsOf(hub.url, seen())).toBeLessThan(1_000);
});

describe('with keys', () => {
  it('refuses what brings none, and says how to get one', async () => {
    for (const path of ['/mcp', '/v1/events', '/v1/openapi.json', '/metrics', '/v1/nothing', '/nothing']) {
      const { code, said } = await refusalOf(await request(path));
      expect(code).toBe('KEY_REQUIRED');
      expect(said).toContain('coterie keys create');
    }
    for (const path of ['/', '/healthz', '/readyz']) expect((await request(path)).status).toBe(200);
  });

  it('says what is wrong with a key, the end of one only to who has the secret', async () => {
    const past = await makeKey(store, { agent: 'ann', expiresAt: Date.now() - 1 });
    const gone = await makeKey(store, { agent: 'ann' });
    await revokeKey(store, gone);
    const reasons = [
      ['malformed', ann.text.slice(0, -1)],
      ['malformed', 'sk-something-else'],
      ['unknown', makeKeyText().text],
      ['unknown', `${ann.text.slice(0, -3)}abc`],
      ['unknown', `${past.text.slice(0, -3)}abc`],
      ['expired', past.text],
      ['revoked', gone.text],
    ];
    for (const [reason, key] of reasons) {
      const refusal = await refusalOf(await request('/v1/list_agents', key, {}));
      expect(refusal).toMatchObject({ code: 'KEY_INVALID', reason });
    }
  });

  it('takes session and agent from the key, and refuses others', async () => {
    const sent = await request('/v1/register_agent', ann.text, {});
    expect(await sent.json()).toMatchObject({ agent: { id: 'ann' } });
    for (const [input, headers] of [
      [{ senderId: 'bob', target: 'ann', message: 'x' }, {}],
      [{ target: 'ann', message: 'x' }, { 'coterie-agent': 'bob' }],
      [{ target: 'ann', message: 'x' }, { 'coterie-session': 'elsewhere' }],
    ] as const) {
      const refused = await request('/v1/send_message', ann.text, input, headers);
      expect([refused.status, (await bodyOf(refused)).error.code]).toEqual([403, 'IDENTITY_MISMATCH']);
    }
  });

  it('shows over MCP what the key may call, and refuses the rest as a tool error', async () => {
    const reader = await makeKey(store, { agent: 'reader', capabilities: ['read'] });
    const client = await connectMcp('v2 2026', `${hub.url}/mcp`, { key: reader.text });
    const names = (await client.tools()).map(({ name }) => name);
    expect(names).toContain('get_messages');
    expect(names).not.toContain('send_message');
    const refused = await client.call('send_message', { target: 'ann', message: 'x' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^FORBIDDEN: /) });
    await client.close();
  });

  it('marks its list of tools as the caller’s own, in a stable order', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const list = async () => {
      const asked = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } };
      const headers = {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
      };
      const text = await (await request('/mcp?tools=all', ann.text, asked, headers)).text();
      return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
    };
    const first = await list();
    expect(first).toMatchObject({ cacheScope: 'private', ttlMs: 0 });
    expect((await list()).tools).toEqual(first.tools);
  });

  it('ends a parked wait and a stream with the key', async () => {
    const bob = await makeKey(store, { agent: 'bob' });
    const wait = request('/v1/wait_for_mentions', bob.text, { timeoutMs: 30_000 });
    const stream = await request('/v1/events', bob.text);
    const streamed = stream.text();
    await revokeKey(store, bob);
    expect(await ownMsOf(hub.url, Promise.all([wait, streamed]))).toBeLessThan(1_000);
    expect((await wait).status).toBe(401);
  });
});
