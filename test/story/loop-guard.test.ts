// Agents that answer each other without end are stopped; whoever only sends is not.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHubInProcess, type HubInProcess } from '../support/hub-in-process.js';
import { call, post } from '../support/http-call.js';
import { movableClock } from '../support/movable-clock.js';

const clock = movableClock();
let hub: HubInProcess;
beforeAll(async () => {
  hub = await startHubInProcess({ clock });
});
afterAll(() => hub.stop());

async function meet(session: string, ...ids: string[]): Promise<void> {
  for (const agentId of ids) await call(hub.url, 'register_agent', { agentId }, { session, agent: agentId });
}
const send = (session: string, agent: string, input: Record<string, unknown>) =>
  post(hub.url, 'send_message', { message: 'again', ...input }, { session, agent });

it('two agents that take turns are stopped at the 61st within a minute, and may go on after it', async () => {
  await meet('turns', 'ann', 'ben');
  const turn = (index: number) =>
    index % 2 === 0 ? send('turns', 'ann', { target: 'ben' }) : send('turns', 'ben', { target: 'ann' });
  // The first message is no turn yet: 60 turns follow it.
  for (let index = 0; index <= 60; index++) expect((await turn(index)).status).toBe(200);
  const refused = await turn(61);
  expect(refused.status).toBe(429);
  expect(refused.body.error).toMatchObject({ code: 'LOOP_GUARD', retry: 'later', details: { with: 'ann' } });
  const { retryAfterMs } = refused.body.error.details;
  expect(retryAfterMs).toBeGreaterThan(0);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  expect(refused.body.error.hint).toContain(`${Math.ceil(retryAfterMs / 1000)} s`);
  // Whoever spoke last may go on: that is no turn.
  expect((await send('turns', 'ann', { target: 'ben' })).status).toBe(200);
  // A third agent is not concerned.
  await meet('turns', 'cas');
  expect((await send('turns', 'ben', { target: 'cas' })).status).toBe(200);
  clock.advance(retryAfterMs);
  expect((await turn(61)).status).toBe(200);
});

it('counts turns in a thread too, where one is mentioned among several', async () => {
  await meet('thread', 'ann', 'ben', 'cas');
  const made = { title: 'T', participants: ['ann', 'ben', 'cas'] };
  const { threadId } = await call(hub.url, 'create_thread', made, { session: 'thread', agent: 'ann' });
  const turn = (index: number) =>
    index % 2 === 0
      ? send('thread', 'ann', { threadId, mentions: ['ben'] })
      : send('thread', 'ben', { threadId, mentions: ['ann'] });
  for (let index = 0; index <= 60; index++) expect((await turn(index)).status).toBe(200);
  expect((await turn(61)).body.error.code).toBe('LOOP_GUARD');
  // A plain post, that wakes no one, is still taken.
  expect((await send('thread', 'ben', { threadId })).status).toBe(200);
});

it('never stops one-way sends', async () => {
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
  for (let index = 0; index < 59; index++) {
    const [from, to] = index % 2 === 0 ? ['ann', 'ben'] : ['ben', 'ann'];
    expect((await send('retry', from ?? '', { target: to })).status).toBe(200);
  }
  expect((await send('retry', 'ben', { target: 'ann' })).body.error.code).toBe('LOOP_GUARD');
  expect((await send('retry', 'ben', keyed)).body).toMatchObject({ messageId: first.body.messageId, duplicate: true });
});
