// The examples of docs/message-types.md are sent as they stand there: one for each type, and every one is taken.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { messageTypes } from '../../dist/contract/message.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { call } from '../support/http-call.js';

const page = readFileSync(fileURLToPath(new URL('../../docs/message-types.md', import.meta.url)), 'utf8');
const examples: Record<string, unknown>[] = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) =>
  JSON.parse(text),
);

it('every type has its example, in order, and the hub takes each', async () => {
  expect(examples.map((example) => example['message_type'])).toEqual([...messageTypes]);
  const hub = await startHubInProcess();
  const targets = new Set(examples.map(({ target }) => String(target)));
  for (const agentId of ['ann', ...targets].filter((id) => !['all', 'builders'].includes(id))) {
    await call(hub.url, 'register_agent', { agentId });
  }
  await call(hub.url, 'set_group', { name: 'builders', members: ['builder'] });
  let last = '';
  for (const example of examples) {
    // The ids in the page are of messages that are not here.
    const replyTo = 'reply_to' in example ? { reply_to: last } : {};
    const sent = await call(hub.url, 'send_message', { ...example, ...replyTo }, { agent: 'ann' });
    expect(sent.recipients.length).toBeGreaterThan(0);
    last = sent.messageId;
  }
});
