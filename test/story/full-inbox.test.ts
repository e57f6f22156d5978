// An inbox takes only so much. One reader: refused. Many: that copy alone is dead. Plain thread posts do not count.
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHubProcess } from '../support/hub-process.js';
import { call, post } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { configFile } from '../support/config-file.js';
import { readLetters, expectSumRule } from '../support/sum-rule.js';

const config = configFile({ limits: { inbox: 3 } });
const hub = useHub({ args: ['--config', config] });

async function fill(session: string, { url }: { url: string } = hub): Promise<void> {
  for (const agentId of ['ann', 'ben', 'cas']) {
    await call(url, 'register_agent', { agentId }, { session, agent: agentId });
  }
  for (let index = 0; index < 3; index++) await send(session, { target: 'ben' }, url);
}
const send = (session: string, input: Record<string, unknown>, url = hub.url) =>
  post(url, 'send_message', { message: 'hello', ...input }, { session, agent: 'ann' });

it('a message to its one reader is refused and leaves nothing; reading makes room', async () => {
  await fill('one');
  const refused = await send('one', { target: 'ben' });
  expect(refused.status).toBe(429);
  expect(refused.body.error).toMatchObject({ code: 'INBOX_FULL', retry: 'later', details: { target: 'ben' } });
  const inbox = { session: 'one', agent: 'ben' };
  const taken = await call(hub.url, 'get_messages', { limit: 1, ack: 'manual' }, inbox);
  await call(hub.url, 'ack_messages', { ids: [taken.messages[0].id] }, inbox);
  expect((await send('one', { target: 'ben' })).body).toMatchObject({ seq: 4 });
  expect((await send('one', { target: 'ben' })).status).toBe(429);
});

it('of a message to many, the copy without room is a dead letter the sender is told of', async () => {
  await fill('many');
  const { body } = await send('many', { target: 'all' });
  expect(body.recipients.map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual([
    ['cas', 'pending'],
    ['ben', 'dead_lettered'],
  ]);
  expect(body.warnings.join()).toContain('ben');
  const as = { session: 'many', agent: 'ann' };
  const { deliveries } = await call(hub.url, 'get_receipts', { messageId: body.messageId }, as);
  expect(deliveries).toMatchObject([
    { recipient: 'ben', state: 'dead_lettered', reason: 'INBOX_FULL' },
    { recipient: 'cas', state: 'pending' },
  ]);
});

it('plain thread posts do not count', async () => {
  await fill('thread');
  const made = { title: 'T', participants: ['ben'] };
  const { threadId } = await call(hub.url, 'create_thread', made, { session: 'thread', agent: 'ann' });
  for (let index = 0; index < 5; index++) {
    expect((await send('thread', { threadId })).body.recipients).toMatchObject([{ id: 'ben', state: 'pending' }]);
  }
});

it('is counted again after a restart', async () => {
  const first = await startHubProcess({ args: ['--config', config] });
  await fill('restart', first);
  await first.kill();
  const { url } = await startHubProcess({ data: first.data, args: ['--config', config] });
  expect((await send('restart', { target: 'ben' }, url)).body.error.code).toBe('INBOX_FULL');
  const inbox = await call(url, 'get_messages', {}, { session: 'restart', agent: 'ben' });
  expect(inbox.messages).toHaveLength(3);
  await eventually('room again', async () => (await send('restart', { target: 'ben' }, url)).status === 200);
});

it('a letter for a full inbox waits until there is room', async () => {
  const tiny = configFile({ limits: { inbox: 1 }, groups: { pair: ['ben', 'cyn'] } });
  const own = await startHubProcess({ args: ['--config', tiny] });
  for (const agentId of ['ann', 'ben', 'cyn']) await call(own.url, 'register_agent', { agentId });
  const as = { agent: 'ann' };
  await call(own.url, 'send_message', { target: 'ben', message: 'first' }, as);
  const { messageId } = await call(own.url, 'send_message', { target: 'pair', message: 'second' }, as);
  const [letter] = await readLetters(own.url, 'default');
  expect(letter).toMatchObject({ messageId, recipient: 'ben', reason: 'INBOX_FULL' });
  const id = letter?.id ?? '';
  const refused = await post(own.url, 'replay_dead_letter', { id }, as);
  expect(refused).toMatchObject({
    status: 429,
    body: { error: { code: 'INBOX_FULL', details: { recipient: 'ben' } } },
  });
  const { cursor } = await call(own.url, 'get_messages', { ack: 'manual' }, { agent: 'ben' });
  await call(own.url, 'ack_messages', { cursor }, { agent: 'ben' });
  await call(own.url, 'replay_dead_letter', { id }, as);
  // It takes the room there was.
  const third = await post(own.url, 'send_message', { target: 'ben', message: 'third' }, as);
  expect(third.body.error.code).toBe('INBOX_FULL');
  expect((await call(own.url, 'get_messages', {}, { agent: 'ben' })).messages).toMatchObject([{ id: messageId }]);
  await expectSumRule(own.url);
});
