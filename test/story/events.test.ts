// GET /v1/events: a session's messages as they are committed, in order, resumable, and no one else's.
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { followEvents, type Follower } from '../support/follow-events.js';
import { call } from '../support/http-call.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const follow = (session: string, lastEventId?: number, path?: string) =>
  followEvents(hub.url, { session, lastEventId, ...(path === undefined ? {} : { path }) });

async function pair(session: string): Promise<void> {
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
}

const say = (session: string, message: string) =>
  call(hub.url, 'send_message', { target: 'ben', message }, { agent: 'ann', session });

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => index + from);

it('shows messages live, in the order of their seq, each with it as the event’s id', async () => {
  await pair('live');
  await say('live', 'before');
  const follower = await follow('live');
  expect(follower.events[0]).toMatchObject({ id: '1', data: { sessionId: 'live', seq: 1 } });
  for (const text of ['one', 'two', 'three']) await say('live', text);
  await eventually('three messages', () => follower.seqs().length === 3);
  expect(follower.seqs()).toEqual([2, 3, 4]);
  expect(follower.events.slice(1)).toMatchObject(
    ['one', 'two', 'three'].map((text, index) => ({
      id: String(index + 2),
      event: 'message',
      data: { seq: index + 2, sender: 'ann', content: [{ type: 'text', text }] },
    })),
  );
});

it(
  'resumes after Last-Event-ID without a gap or a double, while messages keep coming',
  { tags: ['long'] },
  async () => {
    await pair('resumed');
    const sending = (async () => {
      for (const place of upTo(120)) await say('resumed', `message ${place}`);
    })();
    const seen: number[] = [];
    // Each follower takes what it gets until it has some, then hangs up in the middle.
    while (seen.length < 120) {
      const follower = await follow('resumed', seen.at(-1) ?? 0);
      await eventually('some more', () => follower.seqs().length > 0);
      follower.close();
      seen.push(...follower.seqs());
    }
    await sending;
    expect(seen).toEqual(upTo(120));
  },
);

it('starts where asked: from the beginning with 0, also by the query for those who cannot set a header', async () => {
  await pair('asked');
  for (const place of upTo(5)) await say('asked', `message ${place}`);
  const first = await follow('asked', 0);
  await eventually('all', () => first.seqs().length === 5);
  const queried = await follow('asked', undefined, '/v1/events?after=3');
  await eventually('the rest', () => queried.seqs().length === 2);
  expect(queried.seqs()).toEqual([4, 5]);
});

it('replayed from the beginning, equals a fresh read of the thread and of the history', async () => {
  const session = 'replayed';
  await pair(session);
  const as = { agent: 'ann', session };
  const { threadId } = await call(hub.url, 'create_thread', { title: 'Told twice', participants: ['ben'] }, as);
  const live = await follow(session, 0);
  for (const place of upTo(30)) {
    const content = place % 3 === 0 ? [{ type: 'text', text: `block ${place}` }] : `@ben message ${place}`;
    await call(hub.url, 'send_message', { threadId, content, priority: place % 5 === 0 ? 'high' : 'normal' }, as);
  }
  const thread = await call(hub.url, 'get_thread', { threadId, limit: 50 }, as);
  const history = await call(hub.url, 'query_message_history', { threadId, limit: 50 }, as);
  const count = thread.messages.length;
  const replayed = await follow(session, 0);
  for (const follower of [live, replayed]) {
    await eventually('all of it', () => follower.seqs().length === count);
    expect(follower.events.filter(({ event }) => event === 'message').map(({ data }) => data)).toEqual(thread.messages);
  }
  const bySeq = history.messages.toSorted((a: { seq: number }, b: { seq: number }) => a.seq - b.seq);
  expect(bySeq.map(({ seq }: { seq: number }) => seq)).toEqual(replayed.seqs());
});

it('shows a session nothing of another', async () => {
  await pair('wall-a');
  await pair('wall-b');
  const a = await follow('wall-a', 0);
  const b = await follow('wall-b', 0);
  await Promise.all(upTo(20).flatMap(() => [say('wall-a', 'for a'), say('wall-b', 'for b')]));
  await eventually('both have theirs', () => a.seqs().length === 20 && b.seqs().length === 20);
  const texts = ({ events }: Follower) => new Set(events.slice(1).map(({ data }) => data.content[0].text));
  expect([texts(a), texts(b)]).toEqual([new Set(['for a']), new Set(['for b'])]);
});

it('refuses a session that is no id', async () => {
  const response = await fetch(`${hub.url}/v1/events?session=a%20b`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'INVALID_INPUT' } });
});

it('does not show what a sender kept to itself', async () => {
  await pair('thoughts');
  const follower = await follow('thoughts');
  const message = [
    { type: 'thinking', thinking: 'my private thought' },
    { type: 'text', text: 'my public word' },
  ];
  await call(hub.url, 'send_message', { target: 'ben', message }, { agent: 'ann', session: 'thoughts' });
  await eventually('the message', () => follower.seqs().length === 1);
  expect(follower.events[1]?.data.content).toEqual([{ type: 'text', text: 'my public word' }]);
});

it('carries a burst of 1,000 messages to every follower, and to one that comes late', { tags: ['long'] }, async () => {
  await pair('burst');
  const followers = await Promise.all(upTo(3).map(() => follow('burst')));
  const senders = upTo(20).map(async (sender) => {
    for (const place of upTo(50)) await say('burst', `message ${sender}.${place} ${'x'.repeat(500)}`);
  });
  await Promise.all(senders);
  followers.push(await follow('burst', 0));
  for (const follower of followers) {
    await eventually('all thousand', () => follower.seqs().length >= 1000, 20_000);
    expect(follower.seqs()).toEqual(upTo(1000));
  }
});

it('forgets a follower that hangs up, and ends the rest when the hub stops', async () => {
  const other = await startHubInProcess();
  const response = await fetch(`${other.url}/v1/events`);
  const gone = new AbortController();
  await fetch(`${other.url}/v1/events`, { signal: gone.signal });
  gone.abort();
  const ended = response.text().catch(() => 'cut');
  await other.stop();
  await ended;
});
