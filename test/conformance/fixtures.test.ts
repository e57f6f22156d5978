import { describe, expect, it } from 'vitest';
import { post } from '../support/http-call.js';
import type { HubProcess } from '../support/hub-process.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHubProcess } from '../support/use-hub-process.js';

const everyday = useHubProcess({ env: { COTERIE_CONFORMANCE: '' } });
const underTest = useHubProcess({ env: { COTERIE_CONFORMANCE: '1' } });

/** One 2025-era message, as a client without an SDK would send it. */
function send(hub: HubProcess, message: { id?: number; method: string; params?: unknown }): Promise<Response> {
  return fetch(`${hub.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
}

describe.each(generations)('to a %s client', (generation) => {
  it('an everyday hub shows nothing of the fixtures', async () => {
    const client = await connectMcp(generation, `${everyday.url}/mcp?tools=all`);
    const names = (await client.tools()).map(({ name }) => name);
    expect(names).toContain('send_message');
    // Everyday tools of such names: they test a person's channel and an agent's wake routes.
    expect(names.filter((name) => /test_|json_schema/.test(name))).toEqual(['test_channel', 'test_wake']);
    const answer = await client.call('test_simple_text', {});
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('OPERATION_UNKNOWN');
    await client.close();
  });

  it('a hub with the fixtures is still the hub', async () => {
    const client = await connectMcp(generation, `${underTest.url}/mcp`);
    const names = (await client.tools()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['send_message', 'test_simple_text', 'test_image_content']));
    const answer = await client.call('register_agent', { agentId: 'ada' });
    expect(answer).toMatchObject({ isError: false, structured: { agent: { id: 'ada' } } });
    await client.close();
  });
});

describe('over HTTP', () => {
  it('an everyday hub has no operation of the fixtures', async () => {
    expect(await post(everyday.url, 'test_simple_text', {})).toMatchObject({ status: 404 });
  });

  it('an everyday hub has no prompts and no resources', async () => {
    for (const method of ['prompts/list', 'resources/list', 'logging/setLevel']) {
      const answer = await send(everyday, { id: 1, method, params: {} });
      expect(await answer.text()).toContain('-32601');
    }
  });
});

describe('the lane, in a hub with the fixtures,', () => {
  it.each(['list_agents', 'test_simple_text'])('answers %s itself, without a session', async (name) => {
    const answer = await send(underTest, { id: 7, method: 'tools/call', params: { name, arguments: {} } });
    // The SDK would have answered 400 for want of a session, and otherwise with an event stream.
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toMatchObject({ id: 7, result: { content: [{ type: 'text' }] } });
  });

  it('leaves a fixture that needs a session to the SDK', async () => {
    const params = { name: 'test_sampling', arguments: { prompt: 'Hello?' } };
    expect((await send(underTest, { id: 7, method: 'tools/call', params })).status).toBe(400);
  });
});
