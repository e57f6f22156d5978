// The threads in which something was said lately, the last active first, by the rules of list_threads.
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
const as = (agent: string) => ({ agent });
const opened: string[] = [];

async function open(input: object): Promise<string> {
  return (await call(hub.url, 'create_thread', input, as('ann'))).threadId;
}

async function titles(input: object = {}): Promise<string[]> {
  const { threads } = await call(hub.url, 'list_active_threads', input, as('ben'));
  return threads.map(({ title }: { title: string }) => title);
}

beforeAll(async () => {
  for (const agent of ['ann', 'ben']) await call(hub.url, 'register_agent', {}, as(agent));
  for (const title of ['First', 'Second', 'Third']) opened.push(await open({ title, participants: ['ben'] }));
  await call(hub.url, 'send_message', { threadId: 'a label', to: 'ben', content: 'not a thread' }, as('ann'));
  await call(hub.url, 'send_message', { threadId: opened[0], content: 'again' }, as('ann'));
});

describe('list_active_threads', () => {
  it('has the last active first, with when that was and what is unread', async () => {
    expect(await titles()).toEqual(['First', 'Third', 'Second']);
    const { threads } = await call(hub.url, 'list_active_threads', { limit: 1 }, as('ben'));
    const listed = (await call(hub.url, 'list_threads', {}, as('ben'))).threads;
    const { lastAt, ...first } = threads[0];
    expect(first).toEqual(listed.find(({ threadId }: { threadId: string }) => threadId === opened[0]));
    const { messages } = await call(hub.url, 'get_thread', { threadId: opened[0], limit: 1 }, as('ben'));
    expect(lastAt).toBe(messages[0].timestamp);
  });

  it('takes the filters of list_threads', async () => {
    await call(hub.url, 'close_thread', { threadId: opened[1] }, as('ann'));
    expect(await titles({ status: 'closed' })).toEqual(['Second']);
    expect(await titles({ status: 'open', participant: 'ben' })).toEqual(['First', 'Third']);
  });
});
