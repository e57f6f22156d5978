// The outbox: what an agent sent, and where every copy of it is.
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { allPages, openSession, texts, type Fields } from '../support/looking-back.js';
import { connectMcp } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const open = (session: string) => openSession(hub, session);

describe('the outbox', () => {
  it('shows what I sent, newest first, with where every copy stands and why', async () => {
    const { as, send, ask } = await open('outbox');
    const first = await send('ann', { target: 'ben', message: 'one' });
    await send('ann', { target: 'all', message: 'two' });
    await send('ben', { target: 'ann', message: 'not mine' });
    await post(hub.url, 'send_message', { target: 'nobody', message: 'three' }, as('ann'));
    await call(hub.url, 'get_messages', { limit: 1 }, as('ben'));
    await call(hub.url, 'ack_messages', { ids: [first.messageId] }, as('ben'));
    const { messages, hasMore, cursor } = await ask('get_sent_messages', {});
    expect(messages).toMatchObject([
      {
        seq: 4,
        target: 'nobody',
        deliveries: [{ recipient: 'nobody', state: 'dead_lettered', reason: 'TARGET_UNKNOWN' }],
      },
      {
        seq: 2,
        target: 'all',
        deliveries: [
          { recipient: 'ben', state: 'pending' },
          { recipient: 'cyn', state: 'pending' },
        ],
      },
      { seq: 1, target: 'ben', sender: 'ann', deliveries: [{ recipient: 'ben', state: 'read', attempts: 1 }] },
    ]);
    expect(messages[2].deliveries).toEqual((await ask('get_receipts', { messageId: first.messageId })).deliveries);
    expect({ hasMore, cursor }).toEqual({ hasMore: false, cursor: null });
  });

  it('filters by state, recipient, group and thread; with a recipient the state is that of its copy', async () => {
    const { send, ask } = await open('outbox-filter');
    const { threadId } = await ask('create_thread', { title: 'T', participants: ['ben', 'cyn'] });
    await send('ann', { threadId, message: 'posted' });
    await send('ann', { target: 'all', message: 'to all' });
    await send('ann', { target: 'cyn', message: 'to cyn' });
    await ask('get_messages', {}, 'ben');
    await ask('list_agents', {}, 'ben');
    const sent = async (input: Fields) => texts(await ask('get_sent_messages', input));
    await eventually('ben has read', async () => (await sent({ status: 'read' })).length === 2);
    expect(await sent({ status: 'READ', target: 'ben' })).toEqual(['to all', 'posted']);
    expect(await sent({ status: 'pending', target: 'ben' })).toEqual([]);
    expect(await sent({ status: 'pending', target: 'all' })).toEqual(['to all']);
    expect(await sent({ target: 'cyn' })).toEqual(['to cyn', 'to all', 'posted']);
    expect(await sent({ threadId })).toEqual(['posted']);
    expect(await sent({ thread_id: threadId, target: 'cyn', status: 'dead_lettered' })).toEqual([]);
  });

  it('is another’s when source says so, and tells a name no one has from an empty one', async () => {
    const { send, ask, as } = await open('outbox-source');
    await send('ben', { target: 'ann', message: 'from ben' });
    expect(texts(await ask('get_sent_messages', { source: 'ben' }))).toEqual(['from ben']);
    expect(texts(await ask('get_sent_messages', {}))).toEqual([]);
    expect(texts(await ask('get_sent_messages', { source: 'cyn' }))).toEqual([]);
    const refused = await post(hub.url, 'get_sent_messages', { source: 'bne' }, as('ann'));
    expect(refused.body.error).toMatchObject({ code: 'AGENT_UNKNOWN', message: expect.stringContaining("'bne'") });
    const unnamed = await post(hub.url, 'get_sent_messages', {}, { session: 'outbox-source' });
    expect(unnamed.body.error.code).toBe('IDENTITY_REQUIRED');
  });

  it('pages without gap or double while more is sent', async () => {
    const { send, ask } = await open('outbox-pages');
    for (let number = 1; number <= 7; number++) await send('ann', { target: 'ben', message: `m${number}` });
    const seen = await allPages(
      (cursor) => ask('get_sent_messages', { limit: 3, ...cursor }),
      () => send('ann', { target: 'ben', message: 'later' }),
    );
    expect(seen.map(({ seq }) => seq)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  it('is also read by MCP clients, who see it as text', async () => {
    const { send } = await open('outbox-mcp');
    await send('ann', { target: 'ben', message: 'a line\nand another' });
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=outbox-mcp`);
    const { text, structured } = await client.call('get_sent_messages', {});
    expect(text).toMatch(/^ma1\w+ \S+Z to ben: a line and another\n {2}ben pending \S+Z$/);
    expect(structured.messages).toHaveLength(1);
    expect((await client.tools()).map(({ name }) => name)).not.toContain('get_sent_messages');
    await client.close();
  });
});
