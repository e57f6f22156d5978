// A threadId that nobody created, and a sessionId, are labels: kept with the message and shown as they were sent.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { connectMcp, type McpClient } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
const session = 'labels';
const asBuilder = { agent: 'builder', session };

let orchestrator: McpClient;
beforeAll(async () => {
  orchestrator = await connectMcp('v2 2025', `${hub.url}/mcp?agent=orchestrator&session=${session}&tools=all`);
  await orchestrator.call('register_agent', { agentName: 'The Orchestrator' });
});
afterAll(() => orchestrator.close());

const labelled = {
  target: 'orchestrator',
  message_type: 'RESULT',
  message: 'Auth fix complete.',
  threadId: 'sprint <3>',
  sessionId: 'run-7',
};
const attributes = 'threadId="sprint &lt;3&gt;" sessionId="run-7" type="RESULT"';

it('a reader sees the labels as what was sent, and no thread', async () => {
  const { messageId } = await call(hub.url, 'send_message', labelled, asBuilder);
  const { text, structured } = await orchestrator.call('wait_for_mentions', {});
  expect(text).toMatch(
    new RegExp(
      `^<messages>\\n<inbox>\\n<message id="${messageId}" timestamp="\\d+" ${attributes}>\\n<sender id="builder"`,
    ),
  );
  expect(text).not.toContain('<thread');
  expect(structured.messages).toMatchObject([{ threadId: 'sprint <3>', label: 'run-7' }]);
  expect(structured).not.toHaveProperty('threads');

  const again = await orchestrator.call('get_messages', { include: 'recent', view: 'compact' });
  expect(again.text).toContain(
    `<message id='${messageId}' sender='builder' threadId='sprint &lt;3&gt;' type='RESULT' state=`,
  );
  const history = await orchestrator.call('query_message_history', { threadId: 'sprint <3>' });
  expect(history.text).toContain(attributes);
  expect(history.text).not.toContain('<thread');
});

it('a thread stays a thread beside them, with and without its header', async () => {
  await call(hub.url, 'send_message', labelled, asBuilder);
  const { threadId } = await call(
    hub.url,
    'create_thread',
    { title: 'Plan', participants: ['orchestrator'] },
    asBuilder,
  );
  const post = { threadId, content: 'Ready?', mentions: ['orchestrator'] };
  await call(hub.url, 'send_message', post, asBuilder);
  const { text } = await orchestrator.call('get_messages', {});
  expect(text.match(/<inbox>|<thread id="[^"]*"/g)).toEqual(['<inbox>', `<thread id="${threadId}"`]);
  const thread = await orchestrator.call('get_thread', { threadId });
  expect(thread.text).toContain(`<thread id="${threadId}">`);
});
