// Dead letters: what could not be delivered is kept, can be seen, and dropped.
import { describe, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { connectMcp } from '../support/mcp-clients.js';
import { readLetters } from '../support/sum-rule.js';
import { hub, team, misaddressed, letters, admin, inbox, receipt, letterOf, expired } from './dead-letter-hub.js';

describe('get_dead_letters', () => {
  it('says what was not delivered, to whom, when and why, newest first', async () => {
    await team('list', ['ann', 'ben']);
    const first = await misaddressed('list', 'bem');
    const second = await expired('list', 'ben');
    const { deadLetters, hasMore, cursor } = await call(hub.url, 'get_dead_letters', {}, { session: 'list' });
    expect({ hasMore, cursor }).toEqual({ hasMore: false, cursor: null });
    expect(deadLetters).toMatchObject([
      { messageId: second, recipient: 'ben', reason: 'EXPIRED', message: { id: second, sender: 'ann' } },
      { messageId: first, recipient: 'bem', reason: 'TARGET_UNKNOWN', message: { content: [{ text: 'for bem' }] } },
    ]);
    for (const { id, at } of deadLetters) expect([id, at]).toEqual([expect.any(String), expect.stringMatching(/Z$/)]);
  });

  it('comes in pages, 20 unless told', async () => {
    await team('pages', ['ann']);
    for (let count = 0; count < 23; count++) await misaddressed('pages', `none-${count}`);
    const page = await call(hub.url, 'get_dead_letters', {}, { session: 'pages' });
    expect(page.deadLetters).toHaveLength(20);
    expect(page.hasMore).toBe(true);
    const all = await readLetters(hub.url, 'pages', 7);
    expect(all.map(({ recipient }) => recipient)).toEqual(Array.from({ length: 23 }, (_, n) => `none-${22 - n}`));
  });

  it('reads as lines, with what to do next', async () => {
    await team('text', ['ann']);
    const messageId = await misaddressed('text', 'bem');
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=text&tools=all`);
    const { text, structured } = await client.call('get_dead_letters', {});
    const { id, at } = structured.deadLetters[0];
    expect(text.split('\n')).toEqual([
      `${id} TARGET_UNKNOWN ${at} ${messageId} from ann to bem: for bem`,
      'Send one again with replay_dead_letter, or drop it with discard_dead_letter.',
    ]);
    await client.call('discard_dead_letter', { id });
    expect((await client.call('get_dead_letters', {})).text).toBe('No dead letters.');
    await client.close();
  });

  it('does not show what the sender thought', async () => {
    await team('thoughts', ['ann']);
    const content = [
      { type: 'thinking', thinking: 'secret' },
      { type: 'text', text: 'open' },
    ];
    await post(hub.url, 'send_message', { target: 'bem', content }, { agent: 'ann', session: 'thoughts' });
    expect(JSON.stringify(await letters('thoughts'))).not.toContain('secret');
  });

  it('is of one session only', async () => {
    await team('mine', ['ann']);
    await team('theirs', ['ann', 'bem']);
    const { id } = await letterOf('mine', await misaddressed('mine', 'bem'));
    expect(await letters('theirs')).toEqual([]);
    for (const operation of ['replay_dead_letter', 'discard_dead_letter']) {
      expect((await admin('theirs', operation, id)).body.error.code).toBe('DEAD_LETTER_UNKNOWN');
    }
    expect(await letters('mine')).toHaveLength(1);
  });
});

it('a discarded letter leaves the list; its receipt stays as it was', async () => {
  await team('discard', ['ann', 'ben']);
  const messageId = await expired('discard', 'ben');
  const before = await receipt('discard', messageId, 'ben');
  const { id } = await letterOf('discard', messageId);
  const answer = await call(hub.url, 'discard_dead_letter', { id }, { session: 'discard' });
  expect(answer).toEqual({ success: true, id, messageId, recipient: 'ben' });
  expect(await letters('discard')).toEqual([]);
  expect(await receipt('discard', messageId, 'ben')).toEqual(before);
  expect((await inbox('discard', 'ben')).messages).toEqual([]);
  expect((await admin('discard', 'replay_dead_letter', id)).body.error.code).toBe('DEAD_LETTER_UNKNOWN');
});
