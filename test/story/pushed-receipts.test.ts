// A sender that asks for a receipt is told, by a message from `system`, when each copy is read or dead.
import { expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';

const clock = movableClock();
const hub = useHub({ clock });

async function meet(session: string): Promise<void> {
  for (const agentId of ['ann', 'ben', 'cas']) {
    await call(hub.url, 'register_agent', { agentId }, { session, agent: agentId });
  }
}
const send = (session: string, input: Record<string, unknown>) =>
  call(hub.url, 'send_message', { message: 'hello', receipt: 'read', ...input }, { session, agent: 'ann' });
const wait = (session: string) => call(hub.url, 'wait_for_mentions', { timeoutMs: 20_000 }, { session, agent: 'ann' });

async function readAll(session: string, agent: string): Promise<void> {
  const { messages } = await call(hub.url, 'get_messages', { ack: 'manual' }, { session, agent });
  await call(hub.url, 'ack_messages', { ids: messages.map(({ id }: { id: string }) => id) }, { session, agent });
}

it('wakes the sender when the copy is read', async () => {
  await meet('read');
  const { messageId } = await send('read', { target: 'ben' });
  const woken = wait('read');
  await readAll('read', 'ben');
  const { messages } = await woken;
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({
    sender: 'system',
    role: 'SYSTEM',
    type: 'ACK',
    why: 'system',
    payload: { messageId, recipient: 'ben', state: 'read' },
  });
  expect(messages[0].content[0].text).toBe(`ben has read your message ${messageId}.`);
});

it('tells of each copy of a message to many, and of no one else’s', async () => {
  await meet('many');
  await send('many', { target: 'all' });
  await send('many', { target: 'ben', receipt: undefined });
  await readAll('many', 'ben');
  await readAll('many', 'cas');
  const { messages } = await wait('many');
  expect(messages.map(({ payload }: { payload: { recipient: string } }) => payload.recipient)).toEqual(['ben', 'cas']);
});

it('tells why a copy did not arrive: expired, or its reader removed', async () => {
  await meet('dead');
  const late = await send('dead', { target: 'ben', ttl: 5 });
  clock.advance(6_000);
  const expired = await wait('dead');
  expect(expired.messages[0].payload).toMatchObject({
    messageId: late.messageId,
    recipient: 'ben',
    state: 'expired',
    reason: 'EXPIRED',
  });
  const gone = await send('dead', { target: 'cas' });
  const woken = wait('dead');
  await call(hub.url, 'remove_agent', { agentId: 'cas' }, { session: 'dead', agent: 'ann' });
  expect((await woken).messages[0].content[0].text).toBe(
    `Your message ${gone.messageId} did not reach cas: RECIPIENT_REMOVED.`,
  );
});

it('says what a receipt can be', async () => {
  await meet('bad');
  const as = { session: 'bad', agent: 'ann' };
  const { body } = await post(hub.url, 'send_message', { message: 'hi', target: 'ben', receipt: 'seen' }, as);
  expect(body.error).toMatchObject({ code: 'INVALID_INPUT' });
  expect(`${body.error.message} ${body.error.hint}`).toContain('read');
});
