// What a client is known by name for: the form of its results, and how long it may wait.
import { describe, expect, it } from 'vitest';
import { askedMs, knownClients } from '../support/clients-known.js';
import { pixel } from '../support/every-block.js';
import { call } from '../support/http-call.js';
import { connectMcp, generations, type CallOptions, type Generation } from '../support/mcp-clients.js';
import { parkedAt } from '../support/metrics.js';
import { useHub } from '../support/use-hub.js';

const unknownMs = 1_500;
const hub = useHub({ args: ['--client-wait-ms', String(unknownMs)] });
const picture = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: pixel } };

const sessionOf = (...names: string[]) => names.join('-').replaceAll(' ', '-');
const asAnn = (session: string) => ({ agent: 'ann', session });

async function mailFor(session: string): Promise<void> {
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  const content = [{ type: 'text', text: 'see the picture' }, picture];
  await call(hub.url, 'send_message', { target: 'ben', content }, asAnn(session));
}

const address = (session: string, more = '') => `${hub.url}/mcp?agent=ben&session=${session}${more}`;

describe.each(generations)('through client %s', (generation) => {
  it.each(knownClients)('%s gets text and media only, with errors too', async (name) => {
    const session = sessionOf('text', generation, name);
    await mailFor(session);
    const client = await connectMcp(generation, address(session), name);
    const mail = await client.call('get_messages', {});
    expect(mail.structured).toBeUndefined();
    expect(mail.content.map(({ type }) => type)).toEqual(['text', 'text', 'image']);
    expect(mail.text).toMatch(/see the picture[^]*image 0 of message /);
    const refused = await client.call('send_message', { target: 'nobody', content: 'hi' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^TARGET_UNKNOWN: .+\n.+/);
    expect(refused.structured).toBeUndefined();
    expect(refused.meta).toBeUndefined();
    const listed = await client.tools();
    expect(listed.every((tool) => !('outputSchema' in tool))).toBe(true);
    await client.close();
  });

  it('any other client gets both', async () => {
    const session = sessionOf('both', generation);
    await mailFor(session);
    const client = await connectMcp(generation, address(session));
    const mail = await client.call('get_messages', {});
    expect(mail.structured.messages).toHaveLength(1);
    expect(mail.content.map(({ type }) => type)).toEqual(['text', 'text', 'image']);
    const refused = await client.call('send_message', { target: 'nobody', content: 'hi' });
    expect(refused.meta['coterie/error']).toMatchObject({ code: 'TARGET_UNKNOWN' });
    await client.close();
  });

  it('the address overrides the form, and a wrong value is refused', async () => {
    const session = sessionOf('override', generation);
    await mailFor(session);
    const asked: [string, string, boolean][] = [
      ['claude-code', 'both', true],
      ['test', 'text', false],
    ];
    for (const [name, form, isStructured] of asked) {
      const client = await connectMcp(generation, address(session, `&results=${form}`), name);
      const { structured } = await client.call('get_messages', { include: 'recent' });
      expect(structured !== undefined).toBe(isStructured);
      await client.close();
    }
    const client = await connectMcp(generation, address(session, '&results=json'));
    const refused = await client.call('list_agents', {});
    expect(refused.text).toMatch(/^INVALID_INPUT: results .*'json'.*\n.*results=text or results=both/);
    await client.close();
  });
});

it('a client of the oldest revision, which the SDK serves, is known by its label', async () => {
  const session = 'oldest';
  await mailFor(session);
  const version = '2024-11-05';
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const ask = async (body: object, more: Record<string, string> = {}) => {
    const request = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) };
    const response = await fetch(address(session), request);
    const { result } = JSON.parse((await response.text()).replace(/^[^]*?data: /, ''));
    return { result, label: response.headers.get('mcp-session-id') ?? '' };
  };
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'opencode', version: '1' } };
  const { label } = await ask({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const reading = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_messages', arguments: {} } };
  const { result } = await ask(reading, { 'mcp-session-id': label, 'mcp-protocol-version': version });
  expect(result.content[0].text).toContain('see the picture');
  expect(result).not.toHaveProperty('structuredContent');
});

describe('the longest wait', () => {
  async function clampedTo(generation: Generation, name: string, options: CallOptions = {}): Promise<number> {
    const session = sessionOf('wait', generation, name, options.onprogress === undefined ? 'silent' : 'told');
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
    const client = await connectMcp(generation, address(session, '&results=both'), name);
    const waiting = client.call('wait_for_mentions', { timeoutMs: askedMs }, options);
    await parkedAt(hub, 1);
    await call(hub.url, 'send_message', { target: 'ben', message: 'hi' }, asAnn(session));
    const { structured } = await waiting;
    await client.close();
    return structured.clampedToMs ?? askedMs;
  }

  const cases = generations.flatMap((generation) => knownClients.map((known) => [generation, ...known] as const));
  it.each(cases)('through client %s of %s', async (generation, name, waitMs, silentWaitMs) => {
    expect(await clampedTo(generation, name)).toBe(silentWaitMs);
    expect(await clampedTo(generation, name, { onprogress: () => {} })).toBe(waitMs);
  });

  it('of any other client is a setting', async () => {
    expect(await clampedTo('v2 2026', 'some-program')).toBe(unknownMs);
    expect(await clampedTo('v2 2026', 'some-program', { onprogress: () => {} })).toBe(unknownMs);
  });
});
