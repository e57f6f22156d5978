// A connection speaks for one name: it registers no other, and another's mail it can only look at.
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const idsIn = async (session: string) =>
  (await call(hub.url, 'list_agents', {}, { session })).agents.map(({ id }: { id: string }) => id);

describe('registering another name', () => {
  it.each(generations)('is refused over MCP with %s, with the address that connects under it', async (generation) => {
    const session = `register-${generation.replaceAll(' ', '-')}`;
    const builder = await connectMcp(generation, `${hub.url}/mcp?agent=builder&session=${session}`);
    const refused = await builder.call('register_agent', { agentId: 'claude' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^IDENTITY_MISMATCH: .*'builder'.*'claude'/);
    const address = /connect with (\S+)\. /.exec(refused.text)?.[1] ?? '';
    expect(address).toMatch(/\/mcp\?agent=claude&session=/);
    expect(await idsIn(session)).toEqual(['builder']);
    const claude = await connectMcp(generation, address);
    expect((await claude.call('register_agent', { agentId: 'claude' })).text).toMatch(/^Registered claude/);
    expect(await idsIn(session)).toEqual(['builder', 'claude']);
    await builder.close();
    await claude.close();
  });

  it('is refused over HTTP, with the header; its own name, given or not, is not', async () => {
    const as = { agent: 'ann', session: 'register-http' };
    const { status, body } = await post(hub.url, 'register_agent', { agentId: 'ben' }, as);
    expect({ status, ...body.error }).toMatchObject({
      status: 403,
      code: 'IDENTITY_MISMATCH',
      hint: expect.stringContaining('the header coterie-agent: ben'),
      details: { connection: 'ann', agentId: 'ben' },
    });
    expect(await idsIn('register-http')).toEqual(['ann']);
    await call(hub.url, 'register_agent', { agentId: 'ann' }, as);
    await call(hub.url, 'register_agent', {}, as);
  });

  it('is free to a connection without a name, and removing another stays an admin’s', async () => {
    const session = 'register-unnamed';
    for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
    await call(hub.url, 'remove_agent', { agentId: 'ben' }, { agent: 'ann', session });
    expect(await idsIn(session)).toEqual(['ann']);
  });
});

describe('another’s inbox', () => {
  /** One message for ben from ann. */
  async function mailFor(session: string): Promise<() => Promise<string>> {
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
    const as = { agent: 'ann', session };
    const { messageId } = await call(hub.url, 'send_message', { target: 'ben', message: 'for ben' }, as);
    return async () => (await call(hub.url, 'get_receipts', { messageId }, as)).deliveries[0].state;
  }
  const eve = (session: string) => ({ agent: 'eve', session });

  it.each(generations)('is only peeked at over MCP with %s, and the answer says so', async (generation) => {
    const session = `peek-${generation.replaceAll(' ', '-')}`;
    const state = await mailFor(session);
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=eve&session=${session}`);
    for (const input of [{}, { markAsRead: false }, { ack: 'manual' }, { include: 'recent' }]) {
      const seen = await client.call('get_messages', { sessionId: 'ben', ...input });
      expect(seen.structured).toMatchObject({ messages: [{ content: [{ text: 'for ben' }] }], peekedAt: 'ben' });
      expect(seen.text).toContain('This is the inbox of ben; nothing was marked as read.');
      expect(await state()).toBe('pending');
    }
    await client.close();
    const got = await call(hub.url, 'get_messages', {}, { agent: 'ben', session });
    expect(got.messages).toEqual([expect.not.objectContaining({ redelivered: true })]);
  });

  it('cannot be marked as read, and nothing happens', async () => {
    const session = 'mark';
    const state = await mailFor(session);
    const { status, body } = await post(hub.url, 'get_messages', { sessionId: 'ben', markAsRead: true }, eve(session));
    expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
    expect(body.error.hint).toMatch(/Leave markAsRead out/);
    expect(await state()).toBe('pending');
  });

  it('is not acknowledged with a cursor that its owner got; one’s own is, on the way', async () => {
    const session = 'cursor';
    const state = await mailFor(session);
    const held = await call(hub.url, 'get_messages', { ack: 'manual' }, { agent: 'ben', session });
    await call(hub.url, 'get_messages', { sessionId: 'ben', cursor: held.cursor }, eve(session));
    expect(await state()).toBe('delivered');
    await call(hub.url, 'get_messages', { sessionId: 'eve', cursor: held.cursor }, { agent: 'ben', session });
    expect(await state()).toBe('read');
  });

  it('pages by a cursor that takes nothing', async () => {
    const session = 'pages';
    await mailFor(session);
    await call(hub.url, 'send_message', { target: 'ben', message: 'second' }, { agent: 'ann', session });
    const first = await call(hub.url, 'get_messages', { sessionId: 'ben', limit: 1 }, eve(session));
    const next = { sessionId: 'ben', limit: 1, cursor: first.cursor };
    expect((await call(hub.url, 'get_messages', next, eve(session))).messages).toMatchObject([
      { content: [{ text: 'second' }] },
    ]);
  });

  it('on a connection without a name sessionId is the caller, and reads', async () => {
    const session = 'unnamed';
    const state = await mailFor(session);
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?session=${session}`);
    const read = await client.call('get_messages', { sessionId: 'ben' });
    expect(read.structured).toMatchObject({ messages: [{}] });
    expect(read.structured.peekedAt).toBeUndefined();
    expect((await client.call('get_messages', { sessionId: 'ben' })).structured.messages).toEqual([]);
    await eventually('it is read', async () => (await state()) === 'read');
    await client.close();
  });
});
