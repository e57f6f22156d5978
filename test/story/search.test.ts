// The search: what was said is found again by its words, by those who may read it.
import { describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { allPages, fillIndexes, openSession, type Fields } from '../support/looking-back.js';
import { connectMcp } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const open = (session: string) => openSession(hub, session);

describe('the search', () => {
  it('finds a message at once after its send, with its words marked', async () => {
    const { send, search } = await open('search');
    await send('ann', { target: 'ben', message: 'The migration of the billing tables is done.' });
    const found = await search('billing MIGRATION');
    expect(found).toMatchObject({ hasMore: false, cursor: null });
    expect(found.messages).toMatchObject([
      { sender: 'ann', snippet: 'The **migration** of the **billing** tables is done.' },
    ]);
    expect((await search('billing rollback')).messages).toEqual([]);
  });

  it('finds it after the index was filled too, just as before', { tags: ['long'] }, async () => {
    const session = 'search-filled';
    const { send, ask, search } = await open(session);
    const { threadId } = await ask('create_thread', { title: 'T', participants: ['ben'] });
    await send('ann', { threadId, message: 'Ünïcode café, PR-12 and src/http/server.ts' });
    await send('ben', { target: 'ann', message: 'server in the café, twice: server', message_type: 'QUERY' });
    await send('cyn', { target: 'ann', message: '会議室の予約を確認してください' });
    await send('cyn', { target: 'ann', message: 'deployment finished', context: 'staging cluster' });
    const asked: [string, Fields?][] = [
      ['cafe'],
      ['"http server"'],
      ['pr-12'],
      ['server'],
      ['会議室'],
      ['議会'],
      ['deploy*'],
      ['deploy'],
      ['staging'],
      ['cafe', { threadId }],
      ['cafe', { from: 'ben' }],
      ['cafe', { source: 'ben', message_type: 'query' }],
      ['cafe', { from: 'cyn' }],
      ['cafe', { since: '2020-01-01', until: '2999-12-31' }],
      ['cafe', { until: '2020-01-01' }],
    ];
    // A search that takes long is answered in parts.
    const read = () =>
      Promise.all(asked.map(([query, input]) => allPages((cursor) => search(query, { ...input, ...cursor }))));
    const before = await read();
    expect(before.map((messages) => messages.map(({ seq }) => seq))).toEqual([
      [3, 2],
      [2],
      [2],
      [3, 2],
      [4],
      [],
      [5],
      [],
      [5],
      [2],
      [3],
      [3],
      [],
      [3, 2],
      [],
    ]);
    await call(hub.url, 'register_agent', { agentId: 'cyn2' }, { session });
    await fillIndexes(hub, send);
    expect(await read()).toEqual(before);
  });

  it('puts the message that says it most first', async () => {
    const { send, search } = await open('search-rank');
    await send('ann', { target: 'ben', message: 'cache' });
    await send('ann', { target: 'ben', message: 'cache, cache and cache: the cache' });
    await send('ann', { target: 'ben', message: `cache ${'and much else '.repeat(60)}` });
    expect((await search('cache')).messages.map(({ seq }) => seq)).toEqual([2, 1, 3]);
  });

  it('cuts a long text to where the words stand', async () => {
    const { send, search } = await open('search-snippet');
    const filler = 'lorem ipsum dolor sit amet '.repeat(40);
    await send('ann', { target: 'ben', message: `needle. ${filler}the needle in\nthe haystack ${filler}` });
    const [hit] = (await search('haystack needle')).messages;
    expect(hit?.snippet).toMatch(/^….*the \*\*needle\*\* in the \*\*haystack\*\* .*…$/);
    expect(hit?.snippet.length).toBeLessThan(200);
  });

  it('takes whatever is asked as words, never as a command of the index', async () => {
    const { send, search } = await open('search-syntax');
    await send('ann', { target: 'ben', message: 'NOT near words AND or "quotes" a OR b column: star' });
    for (const query of [
      'NOT',
      'words AND',
      '"quotes',
      'a OR b',
      'near(words)',
      'column:star',
      'star*',
      '-words',
      '^not',
      "'words'",
      'words)',
      '{words}',
      'a"b',
    ]) {
      const found = await search(query);
      expect([query, found.messages.length]).toEqual([query, 1]);
    }
    expect((await search('words NOT quotes b')).messages).toHaveLength(1);
    expect((await search('words NEAR missing')).messages).toHaveLength(0);
  });

  it('keeps sessions apart', async () => {
    const here = await open('search-here');
    const there = await open('search-there');
    await here.send('ann', { target: 'ben', message: 'walled secret' });
    expect((await here.search('walled')).messages).toHaveLength(1);
    expect((await there.search('walled')).messages).toHaveLength(0);
  });

  it('does not find thoughts that were not shared', async () => {
    const { send, search } = await open('search-thoughts');
    const blocks = (thinking: string) => [
      { type: 'thinking', thinking },
      { type: 'text', text: 'fine' },
    ];
    await send('ann', { target: 'ben', content: blocks('hidden doubts') });
    await send('ann', { target: 'ben', content: blocks('open doubts'), shareThinking: true });
    expect((await search('doubts')).messages.map(({ seq }) => seq)).toEqual([2]);
  });

  it('pages without gap or double while more is found, through tail and index', { tags: ['long'] }, async () => {
    const session = 'search-pages';
    const { send, search } = await open(session);
    await call(hub.url, 'register_agent', { agentId: 'cyn2' }, { session });
    await fillIndexes(hub, send);
    await send('ben', { target: 'ann', message: 'filler filler, the best' });
    const seen = await allPages(
      (cursor) => search('filler', { limit: 50, ...cursor }),
      () => send('cyn', { target: 'cyn2', message: 'filler meanwhile' }),
    );
    const seqs = seen.map(({ seq }) => seq);
    expect(seqs[0]).toBe(601);
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 601 }, (_, index) => index + 1));
  });

  it('reads as lines with the words marked, and says how to go on', async () => {
    const session = 'search-text';
    const { send } = await open(session);
    await send('ann', { target: 'ben', message: 'first <b>hit</b>' });
    await send('ann', { target: 'ben', message: 'second hit' });
    const client = await connectMcp('v2 2025', `${hub.url}/mcp?agent=ann&session=${session}`);
    const first = await client.call('search_messages', { query: 'hit', limit: 1 });
    expect(first.text).toMatch(
      /^<messages><message id='ma2\w+' sender='ann' to='ben'>second \*\*hit\*\*<\/message><\/messages>\nMore: call search_messages with the same fields and cursor "\S+"$/,
    );
    const rest = await client.call('search_messages', { query: 'hit', limit: 1, cursor: first.structured.cursor });
    expect(rest.text).toContain('first &lt;b&gt;**hit**&lt;/b&gt;');
    expect((await client.call('search_messages', { query: 'nothing' })).text).toBe('No messages.');
    await client.close();
  });
});
