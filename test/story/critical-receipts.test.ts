// Critical threads carry read receipts: who has the opening, who has read it, who has answered, and when.
import { describe, expect, it } from 'vitest';
import { criticalTeam, type CriticalTeam } from '../support/critical-team.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const time = expect.stringMatching(/^\d{4}-.*Z$/);

it('show for the opening who has read it and who has answered, to sender and members', async () => {
  const team = await criticalTeam(hub, 'shown');
  const { threadId, messageId } = await team.create({ wait_for_responses: 0 });
  await team.readAll('ben');
  await team.as('cas', 'get_messages', { ack: 'manual' });
  const answer = await team.say('ben', threadId, 'yes');
  await team.say('ben', threadId, 'or no');
  const expected = [
    { recipient: 'ben', state: 'read', at: time, deliveredAt: time, answeredAt: time },
    { recipient: 'cas', state: 'delivered', at: time, deliveredAt: time },
    { recipient: 'dan', state: 'pending', at: time },
  ];
  const { deliveries } = await team.as('ann', 'get_receipts', { messageId });
  expect(deliveries).toMatchObject(expected);
  expect(deliveries[1]).not.toHaveProperty('answeredAt');
  const thread = await team.as('dan', 'get_thread', { threadId });
  expect(thread.receipts).toMatchObject(expected);
  const first = thread.messages.find(({ id }: { id: string }) => id === answer.messageId);
  expect(thread.receipts[0].answeredAt).toBe(first.timestamp);
  const others = await team.as('ben', 'get_receipts', { messageId: answer.messageId });
  for (const delivery of others.deliveries) expect(delivery).not.toHaveProperty('answeredAt');
});

it('are left out of a thread that is not critical', async () => {
  const team = await criticalTeam(hub, 'plain');
  const { threadId } = await team.as('ann', 'create_thread', { title: 'T', participants: ['ben'], message: 'hi' });
  expect(await team.as('ann', 'get_thread', { threadId })).not.toHaveProperty('receipts');
});

const toldAll = async (team: CriticalTeam) => {
  const { messages } = await team.as('ann', 'get_messages', { include: 'recent', limit: 100 });
  return messages.filter(({ sender, payload }: Fields) => sender === 'system' && 'readers' in Object(payload));
};
type Fields = Record<string, unknown>;

describe('when all have read the opening', () => {
  it('its creator is woken and told once', async () => {
    const team = await criticalTeam(hub, 'all');
    const { threadId, messageId } = await team.create({ wait_for_responses: 0 });
    await team.readAll('ben');
    await team.readAll('cas');
    expect(await toldAll(team)).toEqual([]);
    const waiting = team.as('ann', 'wait_for_mentions', { timeoutMs: 20_000 });
    await team.readAll('dan');
    const { messages } = await waiting;
    expect(messages).toMatchObject([
      {
        sender: 'system',
        role: 'SYSTEM',
        type: 'ACK',
        why: 'system',
        content: [{ text: `All have read "Deploy?" (${threadId}): ben, cas, dan.` }],
        payload: { threadId, messageId, state: 'read', readers: ['ben', 'cas', 'dan'] },
      },
    ]);
  });

  it('by three at once, it is still once', async () => {
    const team = await criticalTeam(hub, 'at-once');
    for (let round = 1; round <= 5; round++) {
      await team.create({ wait_for_responses: 0 });
      await Promise.all(['ben', 'cas', 'dan'].map((agent) => team.readAll(agent)));
      expect(await toldAll(team)).toHaveLength(round);
    }
  });

  it('whoever left is not waited for', async () => {
    const team = await criticalTeam(hub, 'left');
    const { threadId } = await team.create({ wait_for_responses: 0 });
    await team.readAll('ben');
    await team.readAll('dan');
    expect(await toldAll(team)).toEqual([]);
    await team.as('cas', 'leave_thread', { threadId });
    expect(await toldAll(team)).toMatchObject([{ payload: { readers: ['ben', 'dan'] } }]);
  });

  it('a reading that is taken back and done again tells no second time', async () => {
    const team = await criticalTeam(hub, 'back');
    const { messageId } = await team.create({ wait_for_responses: 0 });
    await team.readAll('ben');
    await team.readAll('cas');
    // Read, then cancelled: it comes again.
    await team.readAll('dan');
    await team.as('dan', 'ack_messages', { ids: [messageId], release: true });
    expect((await team.as('ann', 'get_receipts', { messageId })).deliveries[2].state).toBe('pending');
    await team.readAll('dan');
    expect(await toldAll(team)).toHaveLength(1);
  });

  it('a reading that is taken back before the last one counts only when it is done again', async () => {
    const team = await criticalTeam(hub, 'back-before');
    const { messageId } = await team.create({ wait_for_responses: 0 });
    await team.readAll('ben');
    await team.as('ben', 'ack_messages', { ids: [messageId], release: true });
    await team.readAll('cas');
    await team.readAll('dan');
    expect(await toldAll(team)).toEqual([]);
    await team.readAll('ben');
    expect(await toldAll(team)).toHaveLength(1);
  });

  it('after one was lost and replayed, its reading counts', async () => {
    const team = await criticalTeam(hub, 'replayed');
    const { threadId } = await team.create({ wait_for_responses: 0, participants: ['ben', 'cas'] });
    await team.as('cas', 'leave_thread', { threadId });
    await team.as('ann', 'add_participant', { threadId, participantId: 'cas' });
    const { deadLetters } = await team.as('ann', 'get_dead_letters', {});
    for (const { id } of deadLetters) await team.as('ann', 'replay_dead_letter', { id });
    await team.readAll('ben');
    expect(await toldAll(team)).toEqual([]);
    await team.readAll('cas');
    expect(await toldAll(team)).toMatchObject([{ payload: { readers: ['ben', 'cas'] } }]);
  });

  it('plainly, by evidence of the connection, it is told too', async () => {
    const team = await criticalTeam(hub, 'plainly');
    await team.create({ wait_for_responses: 0, participants: ['ben'] });
    await call(hub.url, 'wait_for_mentions', { timeoutMs: 1_000 }, { agent: 'ben', session: 'plainly' });
    await eventually('told', async () => (await toldAll(team)).length === 1);
  });
});
