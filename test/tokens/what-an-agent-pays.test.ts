// What the hub costs an agent before and while it talks, counted by a real tokenizer through the real door.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { connectMcp, type McpClient, type ToolAnswer } from '../support/mcp-clients.js';
import { countTokens } from '../support/count-tokens.js';
import { useHub } from '../support/use-hub.js';

/** For the everyday operations when all are there: each has its share, so that the list stays within as it grows. */
const toolListTokens = 2_500;
const everydayTools = 15;

const hub = useHub();

describe('an agent that connects', () => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=reader`);
  });
  afterAll(() => client.close());

  it(`pays at most ${toolListTokens} tokens for the list of tools, and no more than its share for those there are`, async () => {
    const tools = await client.tools();
    const share = Math.min(1, tools.length / everydayTools);
    expect(countTokens(JSON.stringify({ tools }))).toBeLessThanOrEqual(toolListTokens * share);
  });

  it('pays at most 150 tokens for the instructions', () => {
    expect(countTokens(client.instructions() ?? '')).toBeLessThanOrEqual(150);
  });
});

const said = [
  '@data-analyzer what were the final Q4 sales figures?',
  'The totals are in; the northern region is 4 % above plan and the rest on it.',
  '@data-analyzer please check the March row before I put it in the report.',
  'Draft two is ready: section 3 is new, the rest has only small fixes.',
];

describe('an agent that reads a page of forty messages in a thread', () => {
  const count = 40;
  const textTokens = Array.from({ length: count }, (_, index) => countTokens(said[index % said.length] ?? '')).reduce(
    (a, b) => a + b,
  );

  async function read(session: string, view: string): Promise<ToolAnswer> {
    const people = { 'report-writer': 'Report Writer', 'data-analyzer': 'Data Analyzer', 'sales-bot': 'Sales Bot' };
    for (const [agentId, agentName] of Object.entries(people))
      await call(hub.url, 'register_agent', { agentId, agentName }, { session });
    const participants = ['data-analyzer', 'sales-bot'];
    for (const agent of participants)
      await call(hub.url, 'set_notify_prefs', { muteKinds: ['created'] }, { agent, session });
    const as = { agent: 'report-writer', session };
    const { threadId } = await call(hub.url, 'create_thread', { title: 'Q4 report', participants }, as);
    for (let index = 0; index < count; index += 1) {
      await call(
        hub.url,
        'send_message',
        { threadId, content: said[index % said.length] },
        index % 3 === 2 ? { ...as, agent: 'sales-bot' } : as,
      );
    }
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=data-analyzer&session=${session}`);
    const answer = await client.call('get_messages', { view });
    await client.close();
    expect(answer.structured.messages).toHaveLength(count);
    return answer;
  }

  it('pays at most 65 tokens a message beside the text, the thread’s header included', async () => {
    const { text } = await read('full', 'full');
    expect((countTokens(text) - textTokens) / count).toBeLessThanOrEqual(65);
  });

  it('pays at most 25 in the compact view', async () => {
    const { text } = await read('compact', 'compact');
    expect((countTokens(text) - textTokens) / count).toBeLessThanOrEqual(25);
  });

  it('pays at most 90 where its client shows the structured result instead', async () => {
    const { structured } = await read('structured', 'full');
    expect((countTokens(JSON.stringify(structured)) - textTokens) / count).toBeLessThanOrEqual(90);
  });

  it('pays at most 65 there in the compact view', async () => {
    const { structured } = await read('structured-compact', 'compact');
    expect((countTokens(JSON.stringify(structured)) - textTokens) / count).toBeLessThanOrEqual(65);
  });

  it('is told nothing that is null or goes without saying', async () => {
    const session = 'plain';
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
    const send = (extra: object) =>
      call(hub.url, 'send_message', { target: 'ben', message: 'hi', ...extra }, { agent: 'ann', session });
    await send({});
    await send({
      priority: 'normal',
      action: 'queue',
      urgent: false,
      metadata: {},
      mentions: [],
    });
    const expected = Array.from({ length: 2 }, () => ({
      id: expect.any(String),
      seq: expect.any(Number),
      sessionId: session,
      sender: 'ann',
      target: 'ben',
      content: [{ type: 'text', text: 'hi' }],
      timestamp: expect.any(String),
      why: 'direct',
    }));
    const overHttp = await call(hub.url, 'get_messages', { markAsRead: false }, { agent: 'ben', session });
    expect(overHttp.messages).toEqual(expected);
    const client = await connectMcp('v1', `${hub.url}/mcp?agent=ben&session=${session}`);
    const overMcp = await client.call('get_messages', {});
    expect(overMcp.structured.messages).toEqual(expected);
    expect(overMcp.structured).toEqual({
      messages: expected,
      timedOut: false,
      waitedMs: 0,
      hasMore: false,
      cursor: expect.any(String),
    });
    await client.close();
  });
});
