// What a late joiner sees of a thread is the operator's choice: all of it, none, or the last few messages.
import { expect, it } from 'vitest';
import { startHubInProcess } from '../support/hub-in-process.js';
import { call } from '../support/http-call.js';

/** Ann and Ben say five things, then Cas joins; what Cas sees of them by every way of looking back. */
async function lateLook(...args: string[]) {
  const { url } = await startHubInProcess({ args });
  for (const agentId of ['ann', 'ben', 'cas']) await call(url, 'register_agent', { agentId }, { agent: agentId });
  const made = { title: 'T', participants: ['ben'] };
  const { threadId } = await call(url, 'create_thread', made, { agent: 'ann' });
  for (let index = 1; index <= 5; index++) {
    await call(url, 'send_message', { threadId, message: `word ${index}` }, { agent: index % 2 === 0 ? 'ben' : 'ann' });
  }
  await call(url, 'join_thread', { threadId }, { agent: 'cas' });
  await call(url, 'send_message', { threadId, message: 'word 6' }, { agent: 'ann' });
  const seen = async (agent: string, input: Record<string, unknown> = {}) => {
    const { messages, hasMore } = await call(url, 'get_thread', { threadId, ...input }, { agent });
    const words = messages.filter(({ sender }: { sender: string }) => sender !== 'system');
    return { words: words.map(({ content }: { content: { text: string }[] }) => content[0]?.text), hasMore };
  };
  expect((await seen('ben')).words).toHaveLength(6);
  return { late: (await seen('cas')).words, fromStart: (await seen('cas', { after: 0 })).words };
}

it('all by default', async () => {
  const { late, fromStart } = await lateLook();
  expect(late).toHaveLength(6);
  expect(fromStart).toEqual(late);
});

it('none: only what comes after the joining', async () => {
  const { late, fromStart } = await lateLook('--join-history', 'none');
  expect(late).toEqual(['word 6']);
  expect(fromStart).toEqual(late);
});

it('the last two', async () => {
  const { late, fromStart } = await lateLook('--join-history', '2');
  expect(late).toEqual(['word 4', 'word 5', 'word 6']);
  expect(fromStart).toEqual(late);
});

it('a value that is none of these is refused with what is allowed', async () => {
  await expect(startHubInProcess({ args: ['--join-history', 'some'] })).rejects.toThrow(/join-history/);
});
