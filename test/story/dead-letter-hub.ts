// A hub with a clock that can be moved, and messages that become dead letters there.
import { expect } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { movableClock } from '../support/movable-clock.js';
import { readLetters } from '../support/sum-rule.js';
import { useHub } from '../support/use-hub.js';

export const clock = movableClock();
export const hub = useHub({ clock });

export type Fields = Record<string, unknown>;

export async function team(session: string, ids: string[]): Promise<void> {
  for (const agentId of ids) await call(hub.url, 'register_agent', { agentId }, { session });
}

/** Sent to no one; returns the message's id. */
export async function misaddressed(
  session: string,
  target: string,
  extra: Fields = {},
  code = 'TARGET_UNKNOWN',
): Promise<string> {
  const input = { target, message: `for ${target}`, ...extra };
  const { body } = await post(hub.url, 'send_message', input, { agent: 'ann', session });
  expect(body.error.code).toBe(code);
  return body.error.details.messageId;
}

export async function sent(session: string, target: string, extra: Fields = {}): Promise<string> {
  const input = { target, message: `for ${target}`, ...extra };
  return (await call(hub.url, 'send_message', input, { agent: 'ann', session })).messageId;
}

export const letters = (session: string) => readLetters(hub.url, session);
export const admin = (session: string, operation: string, id: string) =>
  post(hub.url, operation, { id }, { agent: 'ann', session });
export const inbox = async (session: string, agent: string, input: Fields = {}) =>
  call(hub.url, 'get_messages', input, { agent, session });

export async function receipt(session: string, messageId: string, recipient: string) {
  const { deliveries } = await call(hub.url, 'get_receipts', { messageId }, { agent: 'ann', session });
  return deliveries.find((delivery: Fields) => delivery['recipient'] === recipient);
}

/** The letter of a message that must have become one. */
export const letterOf = (session: string, messageId: string) =>
  eventually(`a dead letter of ${messageId}`, async () => {
    return (await letters(session)).find((letter) => letter.messageId === messageId);
  });

export async function expired(session: string, target: string, extra: Fields = {}): Promise<string> {
  const messageId = await sent(session, target, { ttl: 60, ...extra });
  clock.advance(61_000);
  await letterOf(session, messageId);
  return messageId;
}

export async function expectUnchanged(
  session: string,
  refused: { code: string; says: RegExp },
  id: string,
): Promise<void> {
  const before = await letters(session);
  const { body } = await admin(session, 'replay_dead_letter', id);
  expect(body.error).toMatchObject({ code: refused.code, message: expect.stringMatching(refused.says) });
  expect(body.error.hint).not.toBe('');
  expect(await letters(session)).toEqual(before);
}
