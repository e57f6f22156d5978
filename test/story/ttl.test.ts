// A message with a time to live is never delivered after it, however late anyone tidies up.
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { metric, parkedAt } from '../support/metrics.js';
import { movableClock } from '../support/movable-clock.js';
import { expectSumRule, readLetters } from '../support/sum-rule.js';
import { useHub } from '../support/use-hub.js';

const clock = movableClock();
const reaper = { isHeld: false };
const hub = useHub({
  clock,
  wrapStore: (store) => ({
    ...store,
    reap: async (time) =>
      reaper.isHeld ? { expired: 0, deadLettered: 0, returned: [], hasMore: false } : store.reap(time),
  }),
});

beforeAll(async () => {
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
});

const ben = { agent: 'ben' };
const send = async (input: Record<string, unknown> = {}) =>
  (await call(hub.url, 'send_message', { target: 'ben', message: 'quick', ttl: 60, ...input }, { agent: 'ann' }))
    .messageId;
const receipt = async (messageId: string) => (await call(hub.url, 'get_receipts', { messageId })).deliveries[0];

/** Lets the reaper go, and waits until it has ended what was past its time. */
async function reaped(messageId: string): Promise<void> {
  reaper.isHeld = false;
  clock.advance(1_000);
  await eventually(`a dead letter of ${messageId}`, async () => {
    return (await readLetters(hub.url, 'default')).some((letter) => letter.messageId === messageId);
  });
}

describe('while the reaper is late, a message past its time', () => {
  it('is handed out by nothing, shows as expired, and becomes a dead letter in the end', async () => {
    reaper.isHeld = true;
    const messageId = await send();
    expect((await call(hub.url, 'get_messages', { markAsRead: false }, ben)).messages).toHaveLength(1);
    clock.advance(60_000);
    expect((await call(hub.url, 'get_messages', { markAsRead: false }, ben)).messages).toEqual([]);
    expect((await call(hub.url, 'get_messages', {}, ben)).messages).toEqual([]);
    expect((await call(hub.url, 'get_messages', { ack: 'manual' }, ben)).messages).toEqual([]);
    expect((await call(hub.url, 'wait_for_mentions', { timeoutMs: 0 }, ben)).messages).toEqual([]);
    const seen = await receipt(messageId);
    expect(seen).toMatchObject({ state: 'expired', reason: 'EXPIRED', attempts: 0 });
    expect(await readLetters(hub.url, 'default')).toEqual([]);
    await reaped(messageId);
    expect(await receipt(messageId)).toMatchObject({ state: 'expired', reason: 'EXPIRED', attempts: 0 });
    expect(await expectSumRule(hub.url)).toMatchObject({ sent: 1, expired: 1 });
  });

  it('does not come to a wait that is woken by another', async () => {
    reaper.isHeld = true;
    const late = await send();
    clock.advance(60_000);
    const waiting = call(hub.url, 'wait_for_mentions', { timeoutMs: 600_000 }, ben);
    await parkedAt(hub, 1);
    const fresh = await send();
    expect((await waiting).messages.map(({ id }: { id: string }) => id)).toEqual([fresh]);
    await reaped(late);
  });

  it('does not come again when it was given back', async () => {
    reaper.isHeld = true;
    const messageId = await send();
    const { cursor } = await call(hub.url, 'get_messages', { ack: 'manual' }, ben);
    clock.advance(60_001);
    // In doubt it does not expire: whoever holds it may still say that it was read.
    expect(await receipt(messageId)).toMatchObject({ state: 'delivered' });
    await call(hub.url, 'ack_messages', { cursor, release: true }, ben);
    expect(await receipt(messageId)).toMatchObject({ state: 'expired', attempts: 1 });
    expect((await call(hub.url, 'get_messages', {}, ben)).messages).toEqual([]);
    await reaped(messageId);
  });
});

it('a copy in doubt when its time came is read when the reader says so', async () => {
  const messageId = await send({ ttl: 30 });
  const { cursor } = await call(hub.url, 'get_messages', { ack: 'manual' }, ben);
  clock.advance(31_000);
  await call(hub.url, 'ack_messages', { cursor }, ben);
  expect(await receipt(messageId)).toMatchObject({ state: 'read' });
});

it('the copy, its end and its dead letter are never apart', async () => {
  const messageId = await send();
  clock.advance(60_000);
  await eventually('it was reaped', async () => {
    const [letter] = await readLetters(hub.url, 'default');
    const ended = await receipt(messageId);
    const isListed = letter?.messageId === messageId;
    // Read after the list: whatever is listed has ended.
    if (isListed) expect(ended).toMatchObject({ state: 'expired', reason: 'EXPIRED' });
    return isListed;
  });
  await expectSumRule(hub.url);
});

it('a part of a second counts', async () => {
  const messageId = await send({ ttl: 1.5 });
  const { messages } = await call(hub.url, 'get_messages', { markAsRead: false }, ben);
  const [{ timestamp, expiresAt }] = messages.filter(({ id }: { id: string }) => id === messageId);
  expect(Date.parse(expiresAt) - Date.parse(timestamp)).toBe(1_500);
});

it.each(['0', '-1', '0.5', '2592001', '1e300', '1e999', '-1e999', '"0"', '[]', 'true', '"NaN"'])(
  'a ttl of %s is refused with the field and what it may be',
  async (ttl) => {
    const before = await metric(hub.url, 'coterie_messages');
    const { status, body } = await post(hub.url, 'send_message', `{"target": "ben", "message": "x", "ttl": ${ttl}}`, {
      agent: 'ann',
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^ttl: must be .*1 to 2592000 seconds/),
      details: { field: 'ttl' },
    });
    expect(await metric(hub.url, 'coterie_messages')).toBe(before);
  },
);
