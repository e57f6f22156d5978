// The history: all that was said can be looked at again, by those who may.
import { describe, expect, it } from 'vitest';
import { countTokens } from '../support/count-tokens.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { allPages, fillIndexes, openSession, texts, type Fields } from '../support/looking-back.js';
import { connectMcp } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const open = (session: string) => openSession(hub, session);

describe('the history', () => {
  it('finds by thread, sender and recipient, newest first and with bodies', async () => {
    const { send, ask, history } = await open('history');
    const { threadId } = await ask('create_thread', { title: 'T', participants: ['ben'] });
    await send('ann', { threadId, message: 'posted', message_type: 'DIRECTIVE' });
    await send('ben', { target: 'cyn', message: 'direct' });
    await send('cyn', { target: 'all', message: 'to all' });
    await send('ann', { threadId: 'label-1', target: 'cyn', message: 'labelled' });
    expect(texts(await history({ threadId }))).toEqual(['posted']);
    expect(texts(await history({ threadId: 'label-1' }))).toEqual(['labelled']);
    expect(texts(await history({ source: 'ann' }))).toEqual(['labelled', 'posted']);
    expect(texts(await history({ target: 'cyn' }))).toEqual(['labelled', 'direct']);
    expect(texts(await history({ target: 'all' }))).toEqual(['to all']);
    expect(texts(await history({ source: 'ann', target: 'ben', message_type: 'directive' }))).toEqual(['posted']);
    expect(texts(await history({ source: 'ann', messageType: 'QUERY' }))).toEqual([]);
    expect(texts(await history({ target: 'ben', status: 'pending' }))).toEqual(['to all', 'posted']);
    expect(texts(await history({ target: 'ben', status: 'read' }))).toEqual([]);
  });

  it('stays the same when the indexes have caught up', { tags: ['long'] }, async () => {
    const { send, ask, history } = await open('history-filled');
    const { threadId } = await ask('create_thread', { title: 'T', participants: ['ben'] });
    await send('ann', { threadId, message: 'posted' });
    await send('ben', { target: 'ann', message: 'answered' });
    await send('cyn', { target: 'all', message: 'to all' });
    const asked: Fields[] = [
      { threadId },
      { source: 'ben' },
      { target: 'ann' },
      { target: 'ann', source: 'ben' },
      { threadId, source: 'ann', target: 'ben' },
      { threadId, source: 'ben' },
      { target: 'all' },
      { source: 'cyn', until: '2999-12-31', since: '2020-01-01' },
      { source: 'cyn', until: '2020-01-01' },
      { source: 'cyn', since: '2999-12-31' },
    ];
    const read = () => Promise.all(asked.map(history));
    const before = await read();
    expect(before.map(texts)).toEqual([
      ['posted'],
      ['answered'],
      ['to all', 'answered'],
      ['answered'],
      ['posted'],
      [],
      ['to all'],
      ['to all'],
      [],
      [],
    ]);
    for (const agentId of ['cyn2', 'dan'])
      await call(hub.url, 'register_agent', { agentId }, { session: 'history-filled' });
    await fillIndexes(hub, send, 'dan');
    expect(await read()).toEqual(before);
    await send('ben', { target: 'ann', message: 'and again' });
    expect(texts(await history({ source: 'ben' }))).toEqual(['and again', 'answered']);
  });

  it('pages through index and tail without gap or double while more is sent', { tags: ['long'] }, async () => {
    const session = 'history-pages';
    const { send, history } = await open(session);
    await call(hub.url, 'register_agent', { agentId: 'cyn2' }, { session });
    await send('ann', { target: 'ben', message: 'the first' });
    await fillIndexes(hub, send);
    const wanted = 601;
    for (const query of [{ source: 'cyn' }, { target: 'cyn2' }, { source: 'cyn', target: 'cyn2' }]) {
      const seen = await allPages((cursor) => history({ ...query, limit: 100, until: '2999-01-01', ...cursor }));
      const seqs = seen.map(({ seq }) => seq);
      expect(seqs).toEqual(Array.from({ length: wanted - 1 }, (_, index) => wanted - index));
    }
    const seqs = (
      await allPages(
        (cursor) => history({ source: 'cyn', limit: 100, ...cursor }),
        () => send('cyn', { target: 'cyn2', message: 'meanwhile' }),
      )
    ).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: wanted - 1 }, (_, index) => wanted - index));
  });

  it('keeps to the times asked for, both ends included, and takes a date for the whole day', async () => {
    const { send, history } = await open('history-times');
    const at: string[] = [];
    for (const message of ['one', 'two', 'three']) {
      await send('ann', { target: 'ben', message });
      const [newest] = (await history({ source: 'ann', limit: 1 })).messages as unknown as { timestamp: string }[];
      at.push(newest?.timestamp ?? '');
      await eventually('the clock moves on', () => new Date().toISOString() > (at.at(-1) ?? ''));
    }
    const [, second = ''] = at;
    const between = async (times: Fields) => texts(await history({ source: 'ann', ...times }));
    expect(await between({ since: second })).toEqual(['three', 'two']);
    expect(await between({ until: second })).toEqual(['two', 'one']);
    expect(await between({ since: second, until: second })).toEqual(['two']);
    expect(await between({ since: second.slice(0, 10), until: second.slice(0, 10) })).toEqual(['three', 'two', 'one']);
    expect(await between({ until: '2020-01-01T00:00:00+02:00' })).toEqual([]);
  });

  it('does not show thoughts that were not shared, and is not in the short list of tools', async () => {
    const session = 'history-thoughts';
    const { send, ask, history } = await open(session);
    const blocks = [
      { type: 'thinking', thinking: 'ponder' },
      { type: 'text', text: 'said' },
    ];
    await send('ann', { target: 'ben', content: blocks });
    expect(texts(await ask('query_message_history', { source: 'ann' }, 'ben'))).toEqual(['said']);
    expect((await history({ source: 'ann' })).messages[0]?.content).toHaveLength(2);
    const client = await connectMcp('v1', `${hub.url}/mcp?agent=ben&session=${session}`);
    expect((await client.tools()).map(({ name }) => name)).not.toContain('query_message_history');
    const { text } = await client.call('query_message_history', { source: 'ann' });
    expect(text).toMatch(/<content>said<\/content>/);
    await client.close();
  });
});

describe('what a model reads of it', () => {
  const asked: [string, Fields][] = [
    ['get_sent_messages', { limit: 50 }],
    ['query_message_history', { source: 'ann', limit: 100 }],
    ['search_messages', { query: 'nightly', limit: 50 }],
  ];

  it.each(asked)('%s comes in pages within the budget, each message once', async (operation, input) => {
    const session = `budget-${operation}`;
    const { send } = await open(session);
    const lines = 'The nightly run of suite 7 failed in "leases": expected 3 copies, got 2. '.repeat(14);
    const long = 'nightly '.repeat(8_000);
    await Promise.all(
      [...Array.from({ length: 39 }, () => lines), long].map((message) => send('ann', { target: 'ben', message })),
    );
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=${session}`);
    const seen = await allPages(async (cursor) => {
      const { text, structured } = await client.call(operation, { ...input, ...cursor });
      expect(countTokens(text)).toBeLessThanOrEqual(8_000);
      expect(countTokens(JSON.stringify(structured))).toBeLessThanOrEqual(8_000);
      return structured;
    });
    expect(seen.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    await client.close();
  });
});

describe('what is asked wrongly', () => {
  const rows: [what: string, operation: string, input: Fields, says: RegExp][] = [
    ['no filter', 'query_message_history', {}, /at least one of threadId, source and target/],
    ['only a type', 'query_message_history', { message_type: 'QUERY' }, /at least one of threadId, source and target/],
    [
      'since after until',
      'query_message_history',
      { source: 'ann', since: '2026-02-02', until: '2026-02-01' },
      /^since: is after until/,
    ],
    [
      'a date that is none',
      'query_message_history',
      { source: 'ann', since: '2026-02-30' },
      /^since: must be a time in ISO 8601/,
    ],
    [
      'a time in words',
      'query_message_history',
      { source: 'ann', until: 'yesterday' },
      /^until: must be a time in ISO 8601/,
    ],
    [
      'an hour that is none',
      'query_message_history',
      { source: 'ann', until: '2026-02-01T25:00:00Z' },
      /^until: must be/,
    ],
    ['a limit of none', 'query_message_history', { source: 'ann', limit: 0 }, /^limit: must be at least 1/],
    ['a limit too high', 'query_message_history', { source: 'ann', limit: 101 }, /^limit: must be at most 100/],
    [
      'a state that is none',
      'query_message_history',
      { source: 'ann', status: 'sent' },
      /^status: must be one of pending, delivered, read, expired, dead_lettered/,
    ],
    [
      'a type that is none',
      'query_message_history',
      { source: 'ann', message_type: 'NOTE' },
      /^message_type: must be one of PING/,
    ],
    ['a cursor of nothing', 'query_message_history', { source: 'ann', cursor: 'xyz' }, /^cursor: is not a position/],
    ['a limit too high', 'get_sent_messages', { limit: 51 }, /^limit: must be at most 50/],
    ['a state that is none', 'get_sent_messages', { status: 'gone' }, /^status: must be one of pending/],
    [
      'a forged cursor',
      'get_sent_messages',
      { cursor: Buffer.from('["p",-1]').toString('base64url') },
      /^cursor: is not a position/,
    ],
    ['no query', 'search_messages', {}, /^query: is required/],
    ['an empty query', 'search_messages', { query: ' ' }, /^query: must not be empty/],
    ['a query without a word', 'search_messages', { query: '"*" !?' }, /^query: has no word/],
    [
      'too many words',
      'search_messages',
      { query: Array.from({ length: 33 }, (_, index) => `w${index}`).join(' ') },
      /^query: has more than 32 words/,
    ],
    ['a query too long', 'search_messages', { query: 'x'.repeat(501) }, /^query: must be at most 500/],
    [
      'since after until',
      'search_messages',
      { query: 'x', since: '2026-02-02', until: '2026-02-01' },
      /^since: is after until/,
    ],
    ['a limit too high', 'search_messages', { query: 'x', limit: 51 }, /^limit: must be at most 50/],
    [
      'a cursor cut short',
      'search_messages',
      { query: 'x', cursor: Buffer.from('["p",9,1]').toString('base64url') },
      /^cursor: is not a position/,
    ],
  ];

  it.each(rows)('%s in %s is refused with its field', async (_, operation, input, says) => {
    const { status, body } = await post(hub.url, operation, input, { agent: 'ann' });
    expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(body.error.message).toMatch(says);
    expect(body.error.hint).not.toBe('');
  });
});
