// Agents: registering, presence, the start barrier, identity in open mode, the wall between sessions.
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { call, post } from '../support/http-call.js';
import { connectMcp } from '../support/mcp-clients.js';
import { startMcpProgram } from '../support/mcp-program.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const agents = async (session: string) => (await call(hub.url, 'list_agents', {}, { session })).agents;

describe('registering', () => {
  it('again updates what was given and keeps the rest', async () => {
    const session = 'again';
    const first = { agentId: 'ann', agentName: 'Ann', description: 'writes', capabilities: ['text'] };
    await call(hub.url, 'register_agent', first, { session });
    const updated = await call(hub.url, 'register_agent', { agent_id: 'ann', description: 'edits' }, { session });
    expect(updated.agent).toMatchObject({ id: 'ann', name: 'Ann', description: 'edits', capabilities: ['text'] });
    expect(await agents(session)).toHaveLength(1);
  });

  it.each(['v1', 'v2 2025'] as const)('warns the later of two programs under the name, with %s', async (generation) => {
    const session = `in-use-${generation.replaceAll(' ', '-')}`;
    const one = await startMcpProgram(generation, `${hub.url}/mcp?agent=ann&session=${session}`);
    expect((await one.call('register_agent', {})).structured.warnings).toEqual([]);
    const two = await startMcpProgram(generation, `${hub.url}/mcp?agent=ann&session=${session}`);
    // Hubs hear of each other's programs by hints.
    await eventually('two is warned', async () => (await two.call('register_agent', {})).text.includes('\nIN_USE: 2 '));
    await eventually('two are seen', async () => (await agents(session))[0].connections === 2);
    await one.exit();
    await two.exit();
  });

  it('a name carried by the connection registers itself on its first call', async () => {
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=itself`);
    await client.call('list_threads', {});
    expect(await agents('itself')).toMatchObject([{ id: 'ann' }]);
    await client.close();
  });
});

describe('presence', () => {
  it('is waiting while a wait is parked, then active', async () => {
    const session = 'presence';
    const waiting = call(hub.url, 'wait_for_mentions', { timeoutMs: 4_000 }, { agent: 'ann', session });
    await eventually('ann waits', async () => (await agents(session))[0]?.presence === 'waiting');
    await waiting;
    expect((await agents(session))[0]).toMatchObject({ presence: 'active', lastSeen: expect.stringMatching(/Z$/) });
  });

  it('filters by capability and leaves details out when asked', async () => {
    const session = 'filter';
    await call(hub.url, 'register_agent', { agentId: 'ann', capabilities: ['sql'] }, { session });
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
    const found = await call(hub.url, 'list_agents', { capability: 'sql', includeDetails: false }, { session });
    expect(found.agents).toEqual([{ id: 'ann', name: 'ann', description: '', presence: 'active' }]);
  });
});

describe('the start barrier', () => {
  it('opens when the last named agent appears', async () => {
    const session = 'barrier';
    await call(hub.url, 'register_agent', { agentId: 'ann' }, { session });
    const waiting = call(hub.url, 'wait_for_agents', { agentIds: ['ann', 'ben'], timeoutMs: 10_000 }, { session });
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
    expect(await waiting).toMatchObject({ complete: true, present: ['ann', 'ben'], missing: [], timedOut: false });
  });

  it('says who is missing when the time is up', async () => {
    const session = 'barrier-late';
    await call(hub.url, 'register_agent', { agentId: 'ann' }, { session });
    expect(
      await call(hub.url, 'wait_for_agents', { agentIds: ['ann', 'ben'], timeoutMs: 50 }, { session }),
    ).toMatchObject({
      complete: false,
      present: ['ann'],
      missing: ['ben'],
      timedOut: true,
    });
    expect(await call(hub.url, 'wait_for_agents', { count: 1, timeoutMs: 50 }, { session })).toMatchObject({
      complete: true,
    });
  });
});

it('presence outlives a restart of the hub', async () => {
  const own = await startHubInProcess();
  await call(own.url, 'register_agent', { agentId: 'ben' });
  await own.stop();
  const again = await startHubInProcess({ data: own.data });
  const sent = await call(again.url, 'send_message', { target: 'ben', message: 'back?' }, { agent: 'ann' });
  expect(sent).toMatchObject({ recipients: [{ id: 'ben', presence: 'active' }], warnings: [] });
});

describe('identity', () => {
  it('every spelling of the caller is understood, in reading and in writing', async () => {
    const session = 'spellings';
    await call(hub.url, 'register_agent', { agentId: 'ann' }, { session });
    for (const field of ['senderId', 'sender_id', 'source', 'creatorId', 'creator_id', 'agentId', 'agent_id']) {
      expect((await post(hub.url, 'get_messages', { [field]: 'ann' }, { session })).status).toBe(200);
      const made = await post(hub.url, 'create_thread', { [field]: 'ann', title: field }, { session });
      expect(made.body).toMatchObject({ creator: 'ann' });
    }
  });

  it('an argument that disagrees with the connection is a mismatch, and nothing happens', async () => {
    const session = 'mismatch';
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
    const posed = await post(
      hub.url,
      'send_message',
      { senderId: 'ben', target: 'ben', message: 'x' },
      { agent: 'ann', session },
    );
    expect(posed).toMatchObject({ status: 403, body: { error: { code: 'IDENTITY_MISMATCH' } } });
    expect((await call(hub.url, 'get_messages', {}, { agent: 'ben', session })).messages).toEqual([]);
  });
});

it('sessions are walls: agents, threads and messages of one are unknown in another', async () => {
  for (const session of ['wall-1', 'wall-2']) {
    for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
  }
  const as = (session: string) => ({ agent: 'ann', session });
  const { threadId } = await call(hub.url, 'create_thread', { title: 'T', participants: ['ben'] }, as('wall-1'));
  const { messageId } = await call(hub.url, 'send_message', { threadId, content: 'here' }, as('wall-1'));
  await call(hub.url, 'send_message', { target: 'ben', message: 'there' }, as('wall-2'));
  const foreignThread = await post(hub.url, 'get_thread', { threadId }, as('wall-2'));
  const missingThread = await post(hub.url, 'get_thread', { threadId: 't-nothing0' }, as('wall-2'));
  expect(foreignThread.body.error.code).toBe(missingThread.body.error.code);
  const foreignMessage = await post(hub.url, 'get_receipts', { messageId }, as('wall-2'));
  expect(foreignMessage.body.error.code).toBe('MESSAGE_UNKNOWN');
  expect((await call(hub.url, 'get_messages', {}, { agent: 'ben', session: 'wall-2' })).messages).toMatchObject([
    { seq: 1, content: [{ text: 'there' }] },
  ]);
});

it('every answer says how much waking mail its caller has not read', async () => {
  const session = 'unread-line';
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  await call(hub.url, 'send_message', { target: 'ben', message: 'x' }, { agent: 'ann', session });
  const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ben&session=${session}`);
  const listed = await client.call('list_threads', {});
  expect(listed.structured.unread).toBe(1);
  expect(listed.text).toMatch(/\nunread: 1$/);
  await client.close();
});
