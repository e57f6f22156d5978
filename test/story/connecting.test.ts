// A named connection is known from its first request on, before it calls any tool.
import { describe, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const agents = async (session: string) => (await call(hub.url, 'list_agents', {}, { session })).agents;

describe.each(generations)('an agent that has connected over MCP with %s', (generation) => {
  const suffix = generation.replaceAll(' ', '-');

  it('is there, active, and described by its client', async () => {
    const session = `there-${suffix}`;
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=ann&session=${session}`, 'claude-code');
    expect(await agents(session)).toMatchObject([
      { id: 'ann', description: 'claude-code', presence: 'active', connections: 1 },
    ]);
    const sent = await call(hub.url, 'send_message', { target: 'ann', message: 'hi' }, { agent: 'ben', session });
    expect(sent).toMatchObject({ recipients: [{ id: 'ann', presence: 'active' }], warnings: [] });
    await client.close();
  });

  it('keeps the description it has', async () => {
    const session = `described-${suffix}`;
    await call(hub.url, 'register_agent', { agentId: 'ann', description: 'writes' }, { session });
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=ann&session=${session}`, 'claude-code');
    expect(await agents(session)).toMatchObject([{ id: 'ann', description: 'writes' }]);
    await client.call('register_agent', { description: 'edits' });
    expect(await agents(session)).toMatchObject([{ id: 'ann', description: 'edits' }]);
    await client.close();
  });

  it('gets one if an earlier program under its name gave none', async () => {
    const session = `bare-${suffix}`;
    await call(hub.url, 'list_threads', {}, { agent: 'ann', session });
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=ann&session=${session}`, 'codex');
    expect(await agents(session)).toMatchObject([{ id: 'ann', description: 'codex' }]);
    await client.close();
  });

  it.each(['not%20an%20id', 'system', 'council'])('as %s is not, and is told why when it calls', async (name) => {
    const session = `bad-${suffix}`;
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=${name}&session=${session}`);
    await client.tools();
    expect(await agents(session)).toEqual([]);
    expect((await client.call('list_threads', {})).text).toMatch(/^(INVALID_INPUT|ID_RESERVED|ID_TAKEN): /);
    await client.close();
  });
});

it('a request without a handshake is enough, a notification is not', async () => {
  const session = 'bare';
  const send = (body: object) =>
    fetch(`${hub.url}/mcp?agent=ann&session=${session}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    }).then((answer) => answer.text());
  await send({ method: 'notifications/initialized' });
  expect(await agents(session)).toEqual([]);
  await send({ id: 1, method: 'tools/list', params: {} });
  expect(await agents(session)).toMatchObject([{ id: 'ann', description: '', presence: 'active' }]);
});

it('a follower of the events is there too; the pages of the hub make no one known', async () => {
  const session = 'pages';
  for (const path of ['/', '/healthz', '/readyz', '/metrics', '/v1/openapi.json'])
    await (await fetch(`${hub.url}${path}?agent=ann&session=${session}`)).text();
  expect(await agents(session)).toEqual([]);
  const following = new AbortController();
  await fetch(`${hub.url}/v1/events?agent=ann&session=${session}`, { signal: following.signal });
  expect(await agents(session)).toMatchObject([{ id: 'ann', presence: 'active' }]);
  following.abort();
});

it('a long or odd name of a client becomes one short line', async () => {
  const session = 'odd';
  const title = `Odd\n\u0007client ${'x'.repeat(5_000)}`;
  const client = await connectMcp('v1', `${hub.url}/mcp?agent=ann&session=${session}`, title);
  const [{ description }] = await agents(session);
  expect(description).toMatch(/^Odd client x+$/);
  expect(description.length).toBeLessThanOrEqual(100);
  await client.close();
});

it('mail to someone not yet there is kept, and the refusal says how it is delivered later', async () => {
  const session = 'early';
  const ann = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=${session}`);
  const refused = await ann.call('send_message', { target: 'ben', message: 'early' });
  expect(refused.text).toMatch(
    /^TARGET_UNKNOWN: .*kept as a dead letter\.\n.*Once 'ben' has registered.*get_dead_letters.*replay_dead_letter/,
  );
  const ben = await connectMcp('v1', `${hub.url}/mcp?agent=ben&session=${session}`);
  const { deadLetters } = (await ann.call('get_dead_letters', {})).structured;
  await ann.call('replay_dead_letter', { deadLetterId: deadLetters[0].id });
  expect((await ben.call('get_messages', {})).structured.messages).toMatchObject([{ content: [{ text: 'early' }] }]);
  await ann.close();
  await ben.close();
});

it('a call that is refused makes no one known', async () => {
  await post(hub.url, 'send_message', { target: 'ben' }, { agent: 'ann', session: 'refused' });
  expect(await agents('refused')).toEqual([]);
});
