// An agent that was away gets one digest in place of a pile of notices.
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHubInProcess, type HubInProcess } from '../support/hub-in-process.js';
import { call, post } from '../support/http-call.js';
import { movableClock } from '../support/movable-clock.js';
import { expectSumRule } from '../support/sum-rule.js';

const clock = movableClock();
let hub: HubInProcess;
beforeEach(async () => {
  hub = await startHubInProcess({ clock });
});

const as = (session: string, agent: string) => ({ session, agent });

async function meet(session: string): Promise<void> {
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, as(session, agentId));
}

async function open(session: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const made = { title: `Plan ${index}`, participants: ['ben'] };
    ids.push((await call(hub.url, 'create_thread', made, as(session, 'ann'))).threadId);
  }
  return ids;
}

interface Got {
  messages: { id: string; seq: number; redelivered?: boolean; content: { text: string }[]; threadId?: string }[];
}
const take = (session: string): Promise<Got> =>
  call(hub.url, 'wait_for_mentions', { timeoutMs: 0, ack: 'manual' }, as(session, 'ben'));
const textOf = ({ messages }: Got, index = 0) => messages[index]?.content[0]?.text ?? '';

async function states(session: string, threadId: string): Promise<string[]> {
  const { messages } = await call(hub.url, 'get_thread', { threadId }, as(session, 'ann'));
  const receipts = await Promise.all(
    messages.map(({ id }: { id: string }) => call(hub.url, 'get_receipts', { messageId: id }, as(session, 'ann'))),
  );
  return receipts.flatMap(({ deliveries }) => deliveries.map(({ state }: { state: string }) => state));
}

it('more than twenty notices come as one digest; each stays in its thread and is read with the digest', async () => {
  await meet('many');
  const threads = await open('many', 22);
  await call(hub.url, 'send_message', { threadId: threads[7], message: 'Look, @ben', urgent: true }, as('many', 'ann'));
  await call(hub.url, 'send_message', { target: 'ben', message: 'direct' }, as('many', 'ann'));

  const got = await take('many');
  expect(got.messages).toHaveLength(3);
  const lines = textOf(got).split('\n');
  expect(lines[0]).toBe('While you were away 22 notices came about 22 threads:');
  expect(lines[1]).toBe(`- "Plan 7" (${threads[7]}): added by ann; 1 unread, 1 urgent`);
  expect(lines).toHaveLength(23);
  expect([textOf(got, 1), textOf(got, 2)]).toEqual(['Look, @ben', 'direct']);
  expect(await states('many', threads[0] ?? '')).toEqual(['pending']);
  await expectSumRule(hub.url, { sessions: ['many'] });

  const ids = got.messages.map(({ id }) => id);
  await call(hub.url, 'ack_messages', { ids }, as('many', 'ben'));
  expect(await states('many', threads[0] ?? '')).toEqual(['read']);
  expect((await take('many')).messages).toEqual([]);
  const { messages } = await call(hub.url, 'get_thread', { threadId: threads[3] }, as('many', 'ben'));
  expect(messages[0].content[0].text).toContain('You have been added to a new thread "Plan 3"');
  await expectSumRule(hub.url, { sessions: ['many'] });
});

it('a digest that was not acknowledged comes again marked, and what came since comes by itself', async () => {
  await meet('again');
  await open('again', 21);
  const first = await take('again');
  expect(first.messages).toHaveLength(1);
  const [fresh] = await open('again', 1);
  expect((await take('again')).messages).toMatchObject([{ threadId: fresh }]);
  clock.advance(61_000);
  await eventually('the lease ran out', async () => {
    const { messages } = await take('again');
    return messages.some(({ id, redelivered }) => id === first.messages[0]?.id && redelivered === true);
  });
  await expectSumRule(hub.url, { sessions: ['again'] });
});

it('two notices are a pile when the older is over an hour old; one never is', async () => {
  await meet('old');
  await open('old', 1);
  clock.advance(61 * 60_000);
  const single = await take('old');
  expect(textOf(single)).toContain('You have been added');
  await call(hub.url, 'ack_messages', { ids: single.messages.map(({ id }) => id) }, as('old', 'ben'));
  await open('old', 2);
  clock.advance(61 * 60_000);
  expect(textOf(await take('old'))).toContain('While you were away 2 notices came');
});

it('the thresholds are the agent’s own, and zero turns it off', async () => {
  await meet('own');
  await call(hub.url, 'set_notify_prefs', { digestCount: 2, digestMinutes: 0 }, as('own', 'ben'));
  await open('own', 3);
  expect((await take('own')).messages).toHaveLength(1);
  await meet('off');
  await call(hub.url, 'set_notify_prefs', { digestCount: 0, digestMinutes: 0 }, as('off', 'ben'));
  await open('off', 25);
  clock.advance(2 * 60 * 60_000);
  expect((await take('off')).messages).toHaveLength(25);
  const { body } = await post(hub.url, 'set_notify_prefs', { digestCount: -1 }, as('off', 'ben'));
  expect(body.error.code).toBe('INVALID_INPUT');
});

it('whoever is removed with a digest in hand leaves nothing in between', async () => {
  await meet('gone');
  const threads = await open('gone', 21);
  await take('gone');
  await call(hub.url, 'remove_agent', { agentId: 'ben' }, as('gone', 'ann'));
  expect(await states('gone', threads[0] ?? '')).toEqual(['dead_lettered']);
  await expectSumRule(hub.url, { sessions: ['gone'] });
});

it('never hides that the reader was removed', async () => {
  await meet('removed');
  const threads = await open('removed', 23);
  await call(hub.url, 'remove_participant', { threadId: threads[3], participantId: 'ben' }, as('removed', 'ann'));
  const got = await take('removed');
  const texts = got.messages.map(({ content }) => content[0]?.text ?? '');
  expect(texts).toHaveLength(2);
  expect(texts[0]).toContain('While you were away 22 notices came');
  expect(texts[1]).toContain('You have been removed from the thread "Plan 3"');
});
