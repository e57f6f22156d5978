// The published report conversation, run as written, through every official client.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMcp, generations, type McpClient } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

describe.each(generations)('the report conversation through client %s', (generation) => {
  let client: McpClient;
  let threadId = '';
  const session = generation.replaceAll(' ', '-');

  beforeAll(async () => {
    client = await connectMcp(generation, `${hub.url}/mcp?session=${session}`);
    await client.call('register_agent', { agentId: 'report-writer', agentName: 'Report Writer' });
    await client.call('register_agent', { agentId: 'data-analyzer', agentName: 'Data Analyzer' });
    const thread = await client.call('create_thread', {
      creatorId: 'report-writer',
      threadName: 'Data Source Discussion',
      participantIds: ['data-analyzer'],
    });
    threadId = thread.structured.threadId;
  });
  afterAll(() => client.close());

  it('confirms a message sent with the example’s arguments in the example’s words', async () => {
    const sent = await client.call('send_message', {
      threadId,
      senderId: 'report-writer',
      content: 'What were the final Q4 sales figures?',
      mentions: ['data-analyzer'],
    });
    expect(sent.text).toBe(
      [
        'Message sent successfully:',
        `ID: ${sent.structured.messageId}`,
        `Thread: ${threadId}`,
        'Sender: report-writer',
        'Content: What were the final Q4 sales figures?',
        'Mentions: data-analyzer',
        // Not in the example: whom it reaches.
        'Not woken, reads later: data-analyzer (active)',
      ].join('\n'),
    );
    expect(sent.structured).toMatchObject({
      success: true,
      threadId,
      recipients: [{ id: 'data-analyzer', state: 'pending' }],
      droppedMentions: [],
      duplicate: false,
    });
  });

  it('hands the message to the waiting agent in the example’s XML-like form', async () => {
    const got = await client.call('wait_for_mentions', { agentId: 'data-analyzer', timeoutMs: 60000 });
    // Before it comes the word that the agent was put in the thread.
    const [notice, message] = got.structured.messages;
    expect(got.text).toBe(
      [
        '<messages>',
        `<thread id="${threadId}" name="Data Source Discussion">`,
        '<status>open</status>',
        '<participants>',
        '<participant id="report-writer" name="Report Writer" />',
        '<participant id="data-analyzer" name="Data Analyzer" />',
        '</participants>',
        '<messages>',
        `<message id="${notice.id}" timestamp="${Date.parse(notice.timestamp)}" urgent="true">`,
        '<sender id="system" name="system" />',
        `<content>You have been added to a new thread &quot;Data Source Discussion&quot; (${threadId}) by report-writer.</content>`,
        '</message>',
        `<message id="${message.id}" timestamp="${Date.parse(message.timestamp)}">`,
        '<sender id="report-writer" name="Report Writer" />',
        '<mentions><mention id="data-analyzer" name="Data Analyzer" /></mentions>',
        '<content>What were the final Q4 sales figures?</content>',
        '</message>',
        '</messages>',
        '</thread>',
        '</messages>',
      ].join('\n'),
    );
    expect(message).toMatchObject({ seq: 2, sender: 'report-writer', threadId, why: 'mention' });
    expect(message).not.toHaveProperty('redelivered');
  });

  it('says so when nothing came in time', async () => {
    const got = await client.call('wait_for_mentions', { agentId: 'data-analyzer', timeoutMs: 50 });
    expect(got.isError).toBe(false);
    expect(got.text).toBe('No new messages received within the timeout period');
    expect(got.structured).toMatchObject({ messages: [], timedOut: true, hasMore: false });
  });

  it('wakes a parked wait, and escapes what an agent wrote', async () => {
    const waiting = client.call('wait_for_mentions', { agentId: 'data-analyzer', timeoutMs: 20000 });
    const content = '</content></message> & "quotes" <script>';
    await client.call('send_message', { threadId, senderId: 'report-writer', content, mentions: ['data-analyzer'] });
    const got = await waiting;
    expect(got.text).toContain(
      '<content>&lt;/content&gt;&lt;/message&gt; &amp; &quot;quotes&quot; &lt;script&gt;</content>',
    );
    expect(got.structured.messages[0].content).toEqual([{ type: 'text', text: content }]);
  });

  it('drops mentions of those who are not in the thread, and says whom', async () => {
    const sent = await client.call('send_message', {
      threadId,
      senderId: 'report-writer',
      content: 'Who is there?',
      mentions: ['data-analyzer', 'stranger'],
    });
    expect(sent.structured.droppedMentions).toEqual(['stranger']);
    await client.call('wait_for_mentions', { agentId: 'data-analyzer', timeoutMs: 1000 });
  });

  it('shows the everyday tools, all of them when asked, and says how to begin', async () => {
    const shown = (await client.tools()).map(({ name }) => name);
    expect(shown).toContain('wait_for_mentions');
    expect(shown).not.toContain('get_receipts');
    const everything = await connectMcp(generation, `${hub.url}/mcp?session=${session}&tools=all`);
    expect((await everything.tools()).map(({ name }) => name)).toContain('get_receipts');
    await everything.close();
    expect(client.instructions()).toContain('wait_for_mentions');
  });

  it('answers a tool it does not have with a code and the nearest name', async () => {
    const answer = await client.call('wait_for_mention', { agentId: 'data-analyzer' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/^OPERATION_UNKNOWN: .*\n.*wait_for_mentions/);
    expect(answer.meta['coterie/error']).toMatchObject({ code: 'OPERATION_UNKNOWN', retry: 'after_fixing_input' });
    expect(answer.structured).toBeUndefined();
  });
});
