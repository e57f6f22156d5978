// Every copy stands somewhere, whatever happens to it: sent = pending + delivered + read + expired + dead-lettered.
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { call } from '../support/http-call.js';
import { movableClock } from '../support/movable-clock.js';
import { expectSumRule, readLetters } from '../support/sum-rule.js';
import { useHub } from '../support/use-hub.js';

const clock = movableClock();
const hub = useHub({ clock });

beforeAll(async () => {
  for (const agentId of ['ann', 'ben', 'cyn', 'dan']) await call(hub.url, 'register_agent', { agentId });
});

const as = (agent: string) => ({ agent });
const send = (input: Record<string, unknown>) => call(hub.url, 'send_message', { message: 'x', ...input }, as('ann'));
const letters = () => readLetters(hub.url, 'default');

async function receiptOf(messageId: string, recipient: string) {
  const { deliveries } = await call(hub.url, 'get_receipts', { messageId });
  return deliveries.find((delivery: { recipient: string }) => delivery.recipient === recipient);
}

const standsAs = (messageId: string, recipient: string, state: string) =>
  eventually(`${messageId} of ${recipient} is ${state}`, async () => {
    return (await receiptOf(messageId, recipient)).state === state;
  });

it('after sends to one, to a group, and to no one', async () => {
  await send({ target: 'ben' });
  await send({ target: 'all' });
  await expect(send({ target: 'noone' })).rejects.toThrow('TARGET_UNKNOWN');
  expect(await expectSumRule(hub.url)).toMatchObject({ sent: 5, pending: 4, dead_lettered: 1 });
});

it('after a copy was handed out, and then read', async () => {
  await call(hub.url, 'get_messages', { ack: 'manual' }, as('ben'));
  expect(await expectSumRule(hub.url)).toMatchObject({ sent: 5, pending: 2, delivered: 2, dead_lettered: 1 });
  await call(hub.url, 'ack_messages', { upTo: 1_000 }, as('ben'));
  expect(await expectSumRule(hub.url)).toMatchObject({ sent: 5, pending: 2, read: 2, dead_lettered: 1 });
});

it('after a message for many ran out of time', async () => {
  const { messageId } = await send({ target: 'all', ttl: 60 });
  clock.advance(61_000);
  for (const id of ['ben', 'cyn', 'dan']) await standsAs(messageId, id, 'expired');
  expect(await expectSumRule(hub.url)).toMatchObject({ sent: 8, pending: 2, read: 2, expired: 3, dead_lettered: 1 });
  await eventually('three more dead letters', async () => (await letters()).length === 4);
});

it('after leases that nobody acknowledged', async () => {
  const { messageId } = await send({ target: 'dan', priority: 'high' });
  for (let lease = 1; lease <= 5; lease++) {
    await call(hub.url, 'get_messages', { ack: 'manual', limit: 1 }, as('dan'));
    await standsAs(messageId, 'dan', 'delivered');
    clock.advance(61_000);
    await standsAs(messageId, 'dan', lease === 5 ? 'dead_lettered' : 'pending');
    await expectSumRule(hub.url);
  }
  expect(await expectSumRule(hub.url)).toMatchObject({ sent: 9, pending: 2, dead_lettered: 2 });
});

it('after a member was taken out of a thread', async () => {
  const participants = ['ben', 'cyn'];
  const { threadId } = await call(hub.url, 'create_thread', { title: 'T', participants }, as('ann'));
  const { messageId } = await call(hub.url, 'send_message', { threadId, content: 'x' }, as('ann'));
  await call(hub.url, 'remove_participant', { threadId, participantId: 'cyn' }, as('ann'));
  expect(await receiptOf(messageId, 'cyn')).toMatchObject({ state: 'dead_lettered', reason: 'RECIPIENT_REMOVED' });
  await expectSumRule(hub.url);
});

it('after an agent was removed', async () => {
  await call(hub.url, 'remove_agent', { agentId: 'cyn' });
  const { pending, sent, read, expired, dead_lettered: dead } = await expectSumRule(hub.url);
  expect(sent).toBe(pending + read + expired + dead);
});

it('after each dead letter was replayed or discarded', async () => {
  await call(hub.url, 'register_agent', { agentId: 'cyn' });
  await call(hub.url, 'register_agent', { agentId: 'noone' });
  const before = await expectSumRule(hub.url);
  const found = await letters();
  const outcomes = { replayed: 0, refused: 0 };
  for (const { id } of found) {
    const answer = await call(hub.url, 'replay_dead_letter', { id }).catch((error: Error) => error);
    if (answer instanceof Error) {
      // Only what was said in a thread its reader is no longer in.
      expect(answer.message).toContain('FORBIDDEN');
      outcomes.refused += 1;
    } else outcomes.replayed += 1;
    await expectSumRule(hub.url);
  }
  const after = await expectSumRule(hub.url);
  expect(after.sent).toBe(before.sent);
  expect(after.pending).toBe(before.pending + outcomes.replayed);
  expect(outcomes.refused).toBeGreaterThan(0);
  for (const { id } of await letters()) await call(hub.url, 'discard_dead_letter', { id });
  expect(await letters()).toEqual([]);
  expect(await expectSumRule(hub.url)).toEqual(after);
});

it('and a hub that lost sight of a copy would be found out', async () => {
  const blind = await startHubInProcess({
    wrapStore: (store) => ({
      ...store,
      async receipts(query) {
        const found = await store.receipts(query);
        return found === null ? null : { ...found, deliveries: found.deliveries.slice(1) };
      },
    }),
  });
  for (const agentId of ['ann', 'ben']) await call(blind.url, 'register_agent', { agentId });
  await call(blind.url, 'send_message', { source: 'ann', target: 'ben', message: 'x' });
  await expect(expectSumRule(blind.url, { withinMs: 0 })).rejects.toThrow('copies made, and receipts: 1 and 0');
});
