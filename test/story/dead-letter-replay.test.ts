// A dead letter that is replayed: the same message, delivered after all.
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { metric, parkedAt } from '../support/metrics.js';
import {
  clock,
  hub,
  team,
  misaddressed,
  sent,
  letters,
  admin,
  inbox,
  receipt,
  letterOf,
  expired,
  expectUnchanged,
  type Fields,
} from './dead-letter-hub.js';

describe('a letter to one who was not there', () => {
  it('is delivered after all, as the same message, once they are, and wakes their wait', async () => {
    await team('late', ['ann']);
    const messageId = await misaddressed('late', 'ben', { payload: { n: 1 } });
    const { id } = await letterOf('late', messageId);
    await expectUnchanged('late', { code: 'AGENT_UNKNOWN', says: /'ben'.*stays a dead letter/ }, id);
    await team('late', ['ben']);
    const replayed = await metric(hub.url, 'coterie_copies_replayed_total');
    const waiting = call(hub.url, 'wait_for_mentions', { timeoutMs: 600_000 }, { agent: 'ben', session: 'late' });
    await parkedAt(hub, 1);
    const answer = await call(hub.url, 'replay_dead_letter', { id }, { session: 'late' });
    expect(answer).toEqual({ success: true, id, messageId, recipient: 'ben', state: 'pending' });
    const { messages } = await waiting;
    expect(messages).toMatchObject([{ id: messageId, sender: 'ann', payload: { n: 1 }, why: 'direct' }]);
    expect(messages[0]).not.toHaveProperty('redelivered');
    expect(await metric(hub.url, 'coterie_copies_replayed_total')).toBe(replayed + 1);
    expect(await letters('late')).toEqual([]);
  });

  it('is not replayed twice, nor discarded after that', async () => {
    await team('twice', ['ann']);
    const messageId = await misaddressed('twice', 'ben');
    const { id } = await letterOf('twice', messageId);
    await team('twice', ['ben']);
    await call(hub.url, 'replay_dead_letter', { id }, { session: 'twice' });
    for (const operation of ['replay_dead_letter', 'discard_dead_letter']) {
      expect((await admin('twice', operation, id)).body.error).toMatchObject({ code: 'DEAD_LETTER_UNKNOWN' });
    }
    // A later letter has an id of its own.
    const later = await letterOf('twice', await misaddressed('twice', 'cyn'));
    expect(later.id).not.toBe(id);
    expect((await inbox('twice', 'ben')).messages).toMatchObject([{ id: messageId }]);
  });

  it('goes to no group that took the name since', async () => {
    await team('became-group', ['ann', 'ben']);
    const { id } = await letterOf('became-group', await misaddressed('became-group', 'review'));
    await call(hub.url, 'set_group', { name: 'review', members: ['ben'] }, { session: 'became-group' });
    await expectUnchanged('became-group', { code: 'AGENT_UNKNOWN', says: /'review' is a group/ }, id);
  });
});

describe('a letter to a group that was empty', () => {
  const toEmpty = (session: string, target: string, extra: Fields = {}) =>
    misaddressed(session, target, extra, 'GROUP_EMPTY');
  const setGroup = (session: string, name: string, members: string[]) =>
    call(hub.url, 'set_group', { name, members }, { session });

  it('is delivered to every member but the sender once it has some, and wakes them', async () => {
    const session = 'was-empty';
    await team(session, ['ann', 'ben', 'cyn', 'dan']);
    const messageId = await toEmpty(session, 'council', { payload: { n: 1 }, receipt: 'read' });
    const letter = await letterOf(session, messageId);
    expect(letter).toMatchObject({ recipient: 'council', reason: 'GROUP_EMPTY', message: { target: 'council' } });
    const still = { code: 'GROUP_EMPTY', says: /'council' still has no.*stays a dead letter/ };
    await expectUnchanged(session, still, letter.id);
    await setGroup(session, 'council', ['ann', 'ben', 'cyn', 'not-registered']);
    const waiting = call(hub.url, 'wait_for_mentions', { timeoutMs: 600_000 }, { agent: 'ben', session });
    await parkedAt(hub, 1);
    const answer = await call(hub.url, 'replay_dead_letter', { id: letter.id }, { session });
    const recipients = ['ben', 'cyn'];
    expect(answer).toMatchObject({ success: true, messageId, recipient: 'council', recipients, state: 'pending' });
    const got = [...(await waiting).messages, ...(await inbox(session, 'cyn')).messages];
    expect(got).toMatchObject([
      { id: messageId, sender: 'ann', target: 'council', payload: { n: 1 }, why: 'group' },
      { id: messageId, sender: 'ann', target: 'council', payload: { n: 1 }, why: 'group' },
    ]);
    for (const message of got) expect(message).not.toHaveProperty('redelivered');
    expect((await inbox(session, 'dan')).messages).toEqual([]);
    expect(await letters(session)).toEqual([]);
    // The receipts are those of the members, and both can look again.
    await eventually('both have read it', async () => {
      const { deliveries } = await call(hub.url, 'get_receipts', { messageId }, { agent: 'ann', session });
      expect(deliveries.map(({ recipient }: Fields) => recipient)).toEqual(recipients);
      await inbox(session, 'ben');
      await inbox(session, 'cyn');
      return deliveries.every(({ state }: Fields) => state === 'read');
    });
    for (const agent of recipients) {
      expect((await inbox(session, agent, { include: 'recent' })).messages).toMatchObject([{ id: messageId }]);
      const history = await call(hub.url, 'query_message_history', { target: agent }, { agent: 'ann', session });
      expect(history.messages).toMatchObject([{ id: messageId }]);
    }
    const told = await eventually('ann is told twice', async () => {
      const { messages } = await inbox(session, 'ann', { markAsRead: false });
      return messages.length === 2 ? messages : undefined;
    });
    expect(told.map(({ payload }: { payload: Fields }) => payload['recipient']).toSorted()).toEqual(recipients);
  });

  it('waits for everyone to be in its thread', async () => {
    const session = 'empty-in-thread';
    const as = { agent: 'ann', session };
    await team(session, ['ann', 'ben', 'cyn']);
    const { threadId } = await call(hub.url, 'create_thread', { title: 'T', participants: ['ben'] }, as);
    const { id } = await letterOf(session, await toEmpty(session, 'council', { threadId }));
    await setGroup(session, 'council', ['ben', 'cyn']);
    await expectUnchanged(session, { code: 'FORBIDDEN', says: /'cyn' is not in thread/ }, id);
    await call(hub.url, 'add_participant', { threadId, participantId: 'cyn' }, as);
    expect(await call(hub.url, 'replay_dead_letter', { id }, { session })).toMatchObject({
      recipients: ['ben', 'cyn'],
    });
  });

  it('waits for the group, if that was removed', async () => {
    const session = 'removed-group';
    await team(session, ['ann', 'ben']);
    await setGroup(session, 'crew', []);
    const { id } = await letterOf(session, await toEmpty(session, 'crew'));
    await call(hub.url, 'remove_group', { name: 'crew' }, { session });
    await expectUnchanged(session, { code: 'AGENT_UNKNOWN', says: /no group 'crew' any more/ }, id);
    await setGroup(session, 'crew', ['ben']);
    await call(hub.url, 'replay_dead_letter', { id }, { session });
    expect((await inbox(session, 'ben')).messages).toHaveLength(1);
  });
});

it('a letter to the hub itself cannot be replayed, and the hint does not say to register as the hub', async () => {
  await team('to-system', ['ann']);
  const { id } = await letterOf('to-system', await misaddressed('to-system', 'system'));
  await expectUnchanged('to-system', { code: 'AGENT_UNKNOWN', says: /'system' is the hub itself/ }, id);
  const { hint } = (await admin('to-system', 'replay_dead_letter', id)).body.error;
  expect(hint).toMatch(/list_agents.*discard_dead_letter/);
  expect(hint).not.toMatch(/register_agent/);
});

describe('a letter whose time ran out', () => {
  it('is replayed without it, also when the answer is taken back after it was read', async () => {
    await team('time', ['ann', 'ben']);
    const messageId = await expired('time', 'ben');
    expect(await receipt('time', messageId, 'ben')).toMatchObject({ state: 'expired', reason: 'EXPIRED' });
    const { id } = await letterOf('time', messageId);
    await call(hub.url, 'replay_dead_letter', { id }, { session: 'time' });
    expect(await receipt('time', messageId, 'ben')).toMatchObject({ state: 'pending', attempts: 0 });
    clock.advance(600_000);
    const { messages, cursor } = await inbox('time', 'ben', { ack: 'manual' });
    expect(messages).toMatchObject([{ id: messageId }]);
    expect(messages[0]).not.toHaveProperty('redelivered');
    expect(messages[0]).not.toHaveProperty('expiresAt');
    await call(hub.url, 'ack_messages', { cursor }, { agent: 'ben', session: 'time' });
    expect(await receipt('time', messageId, 'ben')).toMatchObject({ state: 'read' });
    const back = { ids: [messageId], release: true };
    await call(hub.url, 'ack_messages', back, { agent: 'ben', session: 'time' });
    clock.advance(5_000);
    expect((await inbox('time', 'ben')).messages).toMatchObject([{ id: messageId, redelivered: true }]);
  });

  it('keeps a time that is still to come', async () => {
    await team('to-come', ['ann', 'ben']);
    const messageId = await sent('to-come', 'ben', { ttl: 600 });
    await call(hub.url, 'remove_agent', { agentId: 'ben' }, { session: 'to-come' });
    await team('to-come', ['ben']);
    const { id } = await letterOf('to-come', messageId);
    await call(hub.url, 'replay_dead_letter', { id }, { session: 'to-come' });
    expect((await inbox('to-come', 'ben', { markAsRead: false })).messages).toHaveLength(1);
    clock.advance(601_000);
    expect((await inbox('to-come', 'ben')).messages).toEqual([]);
    expect(await letterOf('to-come', messageId)).toMatchObject({ reason: 'EXPIRED' });
  });
});

it('a letter given up after five leases comes again, marked, with five more', async () => {
  await team('attempts', ['ann', 'ben']);
  const messageId = await sent('attempts', 'ben');
  const runOut = async () => {
    const { messages } = await inbox('attempts', 'ben', { ack: 'manual' });
    clock.advance(61_000);
    await eventually('the lease ran out', async () => {
      return (await receipt('attempts', messageId, 'ben')).state !== 'delivered';
    });
    return messages[0];
  };
  for (let lease = 1; lease <= 5; lease++) await runOut();
  const { id, reason } = await letterOf('attempts', messageId);
  expect(reason).toBe('ATTEMPTS_EXCEEDED');
  await call(hub.url, 'replay_dead_letter', { id }, { session: 'attempts' });
  expect(await receipt('attempts', messageId, 'ben')).toMatchObject({ state: 'pending', attempts: 5 });
  for (let lease = 1; lease <= 5; lease++) expect(await runOut()).toMatchObject({ redelivered: true });
  const again = await letterOf('attempts', messageId);
  expect(again).toMatchObject({ reason: 'ATTEMPTS_EXCEEDED' });
  expect(again.id).not.toBe(id);
});

describe('a letter to one who left', () => {
  it('is refused while they are gone, and delivered when they are back', async () => {
    await team('gone', ['ann', 'ben']);
    const messageId = await sent('gone', 'ben', { action: 'interrupt' });
    await call(hub.url, 'remove_agent', { agentId: 'ben' }, { session: 'gone' });
    const { id, reason } = await letterOf('gone', messageId);
    expect(reason).toBe('RECIPIENT_REMOVED');
    await expectUnchanged('gone', { code: 'AGENT_UNKNOWN', says: /'ben'/ }, id);
    expect(await receipt('gone', messageId, 'ben')).toMatchObject({ state: 'dead_lettered', reason });
    await team('gone', ['ben']);
    await call(hub.url, 'replay_dead_letter', { id }, { session: 'gone' });
    expect((await inbox('gone', 'ben')).messages).toMatchObject([{ id: messageId, action: 'interrupt' }]);
  });

  it('a thread is refused until they are in it again', async () => {
    const as = { agent: 'ann', session: 'left' };
    await team('left', ['ann', 'ben', 'cyn']);
    const { threadId } = await call(hub.url, 'create_thread', { title: 'T', participants: ['ben', 'cyn'] }, as);
    const { messageId } = await call(hub.url, 'send_message', { threadId, content: 'x' }, as);
    await call(hub.url, 'remove_participant', { threadId, participantId: 'ben' }, as);
    const { id } = await letterOf('left', messageId);
    await expectUnchanged('left', { code: 'FORBIDDEN', says: /'ben' is not in thread/ }, id);
    await call(hub.url, 'add_participant', { threadId, participantId: 'ben' }, as);
    await call(hub.url, 'replay_dead_letter', { id }, { session: 'left' });
    const { messages } = await inbox('left', 'ben');
    expect(messages.map((message: Fields) => message['id'])).toContain(messageId);
  });
});

it('a sender that asked to be told when its message is read is told after the replay as well', async () => {
  await team('told', ['ann', 'ben']);
  const messageId = await expired('told', 'ben', { receipt: 'read' });
  const { id } = await letterOf('told', messageId);
  await call(hub.url, 'replay_dead_letter', { id }, { session: 'told' });
  const { cursor } = await inbox('told', 'ben', { ack: 'manual' });
  await call(hub.url, 'ack_messages', { cursor }, { agent: 'ben', session: 'told' });
  const { messages } = await inbox('told', 'ann');
  expect(messages.map(({ payload }: { payload: Fields }) => payload['state'])).toEqual(['expired', 'read']);
});
