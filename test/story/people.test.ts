// A person is no agent: no agent speaks for one, takes its name, or is taken for one.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../dist/ports/store.js';
import { cliAudit } from '../support/cli-audit.js';
import { call as openCall, post as openPost } from '../support/http-call.js';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const addPerson = (store: Store, id: string) =>
  store.addPerson({ sessionId: 'default', id, name: null, at: Date.now(), audit: cliAudit('default') });

describe('in open mode', () => {
  let store: Store;
  const hub = useHub({ wrapStore: (opened) => (store = opened) });
  beforeAll(async () => {
    await addPerson(store, 'mia');
    await openCall(hub.url, 'register_agent', { agentId: 'ann' }, { agent: 'ann' });
  });

  it('HTTP speaks for a person, whose messages have the role USER', async () => {
    const { messageId } = await openCall(hub.url, 'send_message', { target: 'ann', message: 'hi' }, { agent: 'mia' });
    const { messages } = await openCall(hub.url, 'get_messages', { messageId }, { agent: 'ann' });
    expect(messages[0]).toMatchObject({ sender: 'mia', role: 'USER' });
    const own = await openCall(hub.url, 'send_message', { target: 'mia', message: 'hi' }, { agent: 'ann' });
    const [back] = (await openCall(hub.url, 'get_messages', {}, { agent: 'mia' })).messages;
    expect(back).toMatchObject({ id: own.messageId });
    expect(back).not.toHaveProperty('role');
  });

  it.each(generations)('an MCP connection cannot, under any spelling (%s)', async (generation) => {
    const named = await connectMcp(generation, `${hub.url}/mcp?agent=mia&tools=all`);
    const unnamed = await connectMcp(generation, `${hub.url}/mcp?tools=all`);
    const forbidden = { isError: true, text: expect.stringMatching(/^FORBIDDEN: 'mia' is a person/) };
    expect(await named.call('list_agents', {})).toMatchObject(forbidden);
    expect(await named.call('send_message', { target: 'ann', message: 'x' })).toMatchObject(forbidden);
    for (const [tool, input] of [
      ['send_message', { senderId: 'mia', target: 'ann', message: 'x' }],
      ['wait_for_mentions', { agentId: 'mia', timeoutMs: 0 }],
      ['get_messages', { agentId: 'mia' }],
      ['get_messages', { sessionId: 'mia' }],
      ['create_thread', { creator_id: 'mia', title: 'T' }],
    ] as const) {
      expect(await unnamed.call(tool, input)).toMatchObject(forbidden);
    }
    await Promise.all([named.close(), unnamed.close()]);
  });

  it('no one registers over a person', async () => {
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?tools=all`);
    const taken = await client.call('register_agent', { agentId: 'mia', description: 'mine now' });
    expect(taken).toMatchObject({ isError: true, text: expect.stringMatching(/^AGENT_TAKEN: /) });
    await client.close();
    const { body } = await openPost(hub.url, 'register_agent', { agentId: 'mia' });
    expect(body.error.code).toBe('AGENT_TAKEN');
    const { agents } = await openCall(hub.url, 'list_agents', {});
    expect(agents.find(({ id }: { id: string }) => id === 'mia')).toMatchObject({ kind: 'human', description: '' });
  });

  it('no one removes a person to take its name', async () => {
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?tools=all`);
    const removed = await client.call('remove_agent', { agentId: 'mia' });
    expect(removed).toMatchObject({ isError: true, text: expect.stringMatching(/^FORBIDDEN: 'mia' is a person/) });
    await client.close();
  });

  it('an agent does not become a person', async () => {
    await expect(addPerson(store, 'ann')).rejects.toMatchObject({ code: 'ID_TAKEN' });
    await expect(addPerson(store, 'council')).rejects.toMatchObject({ code: 'ID_TAKEN' });
    await expect(addPerson(store, 'system')).rejects.toMatchObject({ code: 'ID_RESERVED' });
  });
});

describe('with keys', () => {
  const { hub, post, call, store, makeKey, makePerson } = useKeyedHub({ ann: agentRights, boss: ['admin'] });
  let mia = '';
  beforeAll(async () => {
    mia = (await makePerson('mia')).text;
  });

  const asMia = async (operation: string, input: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${mia}` };
    const response = await fetch(`${hub.url}/v1/${operation}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(input),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

  it('a person’s key speaks for the person, over both doors', async () => {
    const { body } = await asMia('send_message', { target: 'ann', message: 'hi' });
    const { messages } = await call('ann', 'get_messages', { messageId: body.messageId });
    expect(messages[0]).toMatchObject({ sender: 'mia', role: 'USER' });
    const client = await connectMcp('v2 2026', `${hub.url}/mcp`, { key: mia });
    expect(await client.call('send_message', { target: 'ann', message: 'hi' })).toMatchObject({ isError: false });
    await client.close();
    expect((await asMia('register_agent', { description: 'in charge' })).body.agent).toMatchObject({ kind: 'human' });
  });

  it('no other key does', async () => {
    for (const [operation, input] of [
      ['send_message', { senderId: 'mia', target: 'boss', message: 'x' }],
      ['register_agent', { agentId: 'mia' }],
    ] as const) {
      expect((await post('ann', operation, input)).body.error.code).toBe('IDENTITY_MISMATCH');
    }
    await expect(makeKey('mia')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('a name with an agent’s key does not become a person', async () => {
    await makeKey('soon');
    await expect(addPerson(store(), 'soon')).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('an agent does not remove a person, nor speak as system', async () => {
    expect((await post('ann', 'remove_agent', { agentId: 'mia' })).body.error.code).toBe('FORBIDDEN');
    expect((await post('boss', 'remove_agent', { agentId: 'mia' })).body.error.code).toBe('FORBIDDEN');
    await expect(makeKey('system')).rejects.toMatchObject({ code: 'ID_RESERVED' });
  });
});
