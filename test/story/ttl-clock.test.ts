// A time to live counts elapsed time, whatever someone does to the wall clock while the hub is up.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHubInProcess, type HubInProcess } from '../support/hub-in-process.js';
import { call } from '../support/http-call.js';
import { movableClock } from '../support/movable-clock.js';
import { expectSumRule, readLetters } from '../support/sum-rule.js';

const hour = 3_600_000;
const ben = { agent: 'ben' };
const clock = movableClock();
let hub: HubInProcess;

beforeAll(async () => {
  hub = await startHubInProcess({ clock });
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
});
afterAll(() => hub.stop());

const send = async (ttl = 60): Promise<string> =>
  (await call(hub.url, 'send_message', { target: 'ben', message: 'quick', ttl }, { agent: 'ann' })).messageId;
const unread = async () => (await call(hub.url, 'get_messages', { markAsRead: false }, ben)).messages;
const unreadIds = async () => (await unread()).map(({ id }: { id: string }) => id);
const lettersOf = async (messageId: string) =>
  (await readLetters(hub.url, 'default')).filter((letter) => letter.messageId === messageId);

async function expectExpired(messageId: string): Promise<void> {
  expect(await unreadIds()).not.toContain(messageId);
  await eventually('a dead letter', async () => (await lettersOf(messageId)).length === 1);
  expect(await lettersOf(messageId)).toMatchObject([{ reason: 'EXPIRED' }]);
}

it.each([
  ['ahead', hour],
  ['back', -hour],
])('a jump %s neither ends nor prolongs it', async (_, jump) => {
  const messageId = await send();
  clock.jump(jump);
  clock.advance(30_000);
  expect(await unreadIds()).toContain(messageId);
  const [{ expiresAt }] = await unread();
  // Shown by the clock as it is now: half a minute is left, less what the calls take.
  const leftMs = Date.parse(expiresAt) - clock.now();
  expect(leftMs).toBeGreaterThan(0);
  expect(leftMs).toBeLessThanOrEqual(30_000);
  clock.advance(31_000);
  await expectExpired(messageId);
});

it('several jumps, and steps too small to notice, add up to nothing', async () => {
  const messageId = await send();
  for (const jump of [hour, -2 * hour, 86_400_000]) {
    clock.jump(jump);
    expect(await unreadIds()).toContain(messageId);
  }
  for (let step = 0; step < 100; step += 1) {
    clock.jump(900);
    await unread();
  }
  expect(await unreadIds()).toContain(messageId);
  clock.advance(61_500);
  await expectExpired(messageId);
});

it('a copy that was handed out before the jump and given back keeps its time', async () => {
  const messageId = await send();
  const { cursor } = await call(hub.url, 'get_messages', { ack: 'manual' }, ben);
  clock.jump(hour);
  await call(hub.url, 'ack_messages', { cursor, release: true }, ben);
  expect(await unreadIds()).toContain(messageId);
  clock.advance(61_000);
  await expectExpired(messageId);
});

it('a restart after a jump back neither revives nor prolongs it; while no hub runs, the wall clock counts', async () => {
  const [ended, going] = [await send(30), await send(120)];
  clock.jump(-hour);
  clock.advance(31_000);
  await expectExpired(ended);
  await expectSumRule(hub.url);
  await hub.stop();
  clock.jump(20_000);
  hub = await startHubInProcess({ clock, data: hub.data });
  expect(await unreadIds()).toEqual([going]);
  // Without the time for which no hub ran it would have 19 s left, less what the calls take.
  clock.advance(70_000);
  await expectExpired(going);
});
