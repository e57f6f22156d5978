// Agents that answer each other without end are stopped; whoever only sends is not.
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { movableClock } from '../support/movable-clock.js';
import { hubsAtOnce } from '../support/world.js';
import { useHub } from '../support/use-hub.js';

const clock = movableClock();
const hub = useHub({ clock });

async function meet(session: string, ...ids: string[]): Promise<void> {
  for (const agentId of ids) await call(hub.url, 'register_agent', { agentId }, { session, agent: agentId });
}
const send = (session: string, agent: string, input: Record<string, unknown>) =>
  post(hub.url, 'send_message', { message: 'again', ...input }, { session, agent });

/** Between hubs a turn is told by a hint, which the next one may overtake. */
const turnsUnheard = hubsAtOnce === 1 ? 0 : 10;

type Answer = Awaited<ReturnType<typeof send>>;

/** Takes turns until one is refused, which is the 61st; the first message is no turn yet. */
async function takeTurns(turn: (index: number) => Promise<Answer>, from = 0): Promise<{ refused: Answer; at: number }> {
  for (let at = from; at <= 61 + turnsUnheard; at++) {
    const answer = await turn(at);
    if (answer.status === 200) continue;
    expect(at).toBeGreaterThanOrEqual(61);
    return { refused: answer, at };
  }
  throw new Error('no turn was refused');
}

it('two agents that take turns are stopped at the 61st within a minute, and may go on after it', async () => {
  await meet('turns', 'ann', 'ben');
  const turn = (index: number) =>
    index % 2 === 0 ? send('turns', 'ann', { target: 'ben' }) : send('turns', 'ben', { target: 'ann' });
  const { refused, at } = await takeTurns(turn);
  const [speaker, other] = at % 2 === 0 ? ['ann', 'ben'] : ['ben', 'ann'];
  expect(refused.status).toBe(429);
  expect(refused.body.error).toMatchObject({ code: 'LOOP_GUARD', retry: 'later', details: { with: other } });
  const { retryAfterMs } = refused.body.error.details;
  expect(retryAfterMs).toBeGreaterThan(0);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  expect(refused.body.error.hint).toContain(`${Math.ceil(retryAfterMs / 1000)} s`);
  // Whoever spoke last may go on: that is no turn.
  await eventually('the last speaker goes on', async () => {
    return (await send('turns', other ?? '', { target: speaker })).status === 200;
  });
  // A third agent is not concerned.
  await meet('turns', 'cas');
  expect((await send('turns', speaker ?? '', { target: 'cas' })).status).toBe(200);
  // Another hub may have heard more, and then waits a little longer.
  clock.advance(hubsAtOnce === 1 ? retryAfterMs : 60_000);
  expect((await turn(at)).status).toBe(200);
});

it('counts turns in a thread too, where one is mentioned among several', async () => {
  await meet('thread', 'ann', 'ben', 'cas');
  const made = { title: 'T', participants: ['ann', 'ben', 'cas'] };
  const { threadId } = await call(hub.url, 'create_thread', made, { session: 'thread', agent: 'ann' });
  const turn = (index: number) =>
    index % 2 === 0
      ? send('thread', 'ann', { threadId, mentions: ['ben'] })
      : send('thread', 'ben', { threadId, mentions: ['ann'] });
  const { refused, at } = await takeTurns(turn);
  expect(refused.body.error.code).toBe('LOOP_GUARD');
  // A plain post, that wakes no one, is still taken.
  expect((await send('thread', at % 2 === 0 ? 'ann' : 'ben', { threadId })).status).toBe(200);
});

it('never stops one-way sends', { tags: ['long'] }, async () => {
  await meet('one-way', 'ann', 'ben');
  const answers = await Promise.all(
    Array.from({ length: 500 }, () => send('one-way', 'ann', { target: 'ben', message_type: 'STATUS' })),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
});

it('a chain of quick replies ends at 64 hops; a pause or a fresh message starts anew', async () => {
  // Eight agents in a ring, so that no two take turns.
  const ring = Array.from({ length: 8 }, (_, index) => `agent-${index}`);
  await meet('chain', ...ring);
  const at = (index: number) => ring[index % ring.length] ?? '';
  let last = (await send('chain', at(0), { target: at(1) })).body.messageId;
  const reply = (index: number) => send('chain', at(index), { target: at(index + 1), reply_to: last });
  for (let hop = 1; hop <= 64; hop++) {
    const answer = await reply(hop);
    expect(answer.status).toBe(200);
    last = answer.body.messageId;
  }
  const refused = await reply(65);
  expect(refused.body.error).toMatchObject({ code: 'LOOP_GUARD', details: { hops: 65 } });
  expect((await send('chain', at(65), { target: at(66) })).status).toBe(200);
  clock.advance(refused.body.error.details.retryAfterMs);
  expect((await reply(65)).status).toBe(200);
});

it('a retry under the same key gets its first answer even when the guard would refuse', async () => {
  await meet('retry', 'ann', 'ben');
  const keyed = { target: 'ann', idempotency_key: 'one' };
  await send('retry', 'ann', { target: 'ben' });
  const first = await send('retry', 'ben', keyed);
  const turn = (index: number) =>
    index % 2 === 0 ? send('retry', 'ann', { target: 'ben' }) : send('retry', 'ben', { target: 'ann' });
  const { refused } = await takeTurns(turn, 2);
  expect(refused.body.error.code).toBe('LOOP_GUARD');
  expect((await send('retry', 'ben', keyed)).body).toMatchObject({ messageId: first.body.messageId, duplicate: true });
});
