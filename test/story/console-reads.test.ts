// What the console reads of a large session: threads by their titles, and whose mail is old.
import { describe, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';

const clock = movableClock();
const hub = useHub({ clock });
const as = (agent: string, session: string) => ({ agent, session });

describe('list_threads with a title', () => {
  const session = 'titles';
  const list = async (input: object, agent = 'ann') => {
    const { threads, cursor } = await call(hub.url, 'list_threads', input, as(agent, session));
    return { titles: threads.map(({ title }: { title: string }) => title), cursor };
  };

  it('finds it in any place and in any case, page by page', async () => {
    for (const agent of ['ann', 'ben']) await call(hub.url, 'register_agent', {}, as(agent, session));
    const open = (title: string, more: object = {}) =>
      call(hub.url, 'create_thread', { title, participants: [], ...more }, as('ann', session));
    for (let number = 0; number < 30; number += 1) {
      await open(`Plain ${number}`);
      if (number % 10 === 0) await open(`The MÜLLER case, part ${number}`);
    }
    expect(await list({ title: 'müller' })).toEqual({
      titles: [20, 10, 0].map((number) => `The MÜLLER case, part ${number}`),
      cursor: null,
    });
    const first = await list({ title: 'Müller', limit: 2 });
    expect(first.titles).toHaveLength(2);
    expect(await list({ title: 'Müller', limit: 2, cursor: first.cursor })).toEqual({
      titles: ['The MÜLLER case, part 0'],
      cursor: null,
    });
    expect((await list({ title: 'nowhere' })).titles).toEqual([]);
    expect((await list({ title: '%' })).titles).toEqual([]);
  });

  it('refuses one that is too long', async () => {
    const answer = await post(hub.url, 'list_threads', { title: 'x'.repeat(10_000) }, as('ann', session));
    expect(answer.body.error.code).toBe('INVALID_INPUT');
  });
});

it('list_agents says since when the oldest unread message waits', async () => {
  const session = 'old-mail';
  const send = (input: object) =>
    call(hub.url, 'send_message', { to: 'ben', content: 'x', ...input }, as('ann', session));
  for (const agent of ['ann', 'ben', 'cyn']) await call(hub.url, 'register_agent', {}, as(agent, session));
  const { messageId } = await send({ priority: 'low' });
  clock.advance(3_600_000);
  await send({ priority: 'high' });
  await send({ action: 'interrupt' });
  const { messages } = await call(hub.url, 'get_messages', { messageId }, as('ann', session));
  const { agents } = await call(hub.url, 'list_agents', {}, as('me', session));
  const found = Object.fromEntries(agents.map(({ id, oldestUnread }: Record<string, string>) => [id, oldestUnread]));
  expect(found['ben']).toBe(messages[0].timestamp);
  expect(found['cyn']).toBeUndefined();
});
