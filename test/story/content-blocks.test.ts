// Messages of content blocks, through every door: what goes in comes out, in one form, whoever sends and whoever reads.
import { describe, expect, it } from 'vitest';
import { HubClient } from '../../dist/client/index.js';
import { connectStdio } from '../bridge/stdio-clients.js';
import { runCli } from '../cli/run-cli.js';
import { everyBlock, inSnakeCase, pixel } from '../support/every-block.js';
import { call } from '../support/http-call.js';
import { connectMcp, generations, type McpClient } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

let rooms = 0;
async function room(): Promise<string> {
  rooms += 1;
  const session = `room-${rooms}`;
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
  return session;
}

async function received(session: string): Promise<unknown> {
  const { messages } = await call(hub.url, 'get_messages', {}, { agent: 'ben', session });
  expect(messages).toHaveLength(1);
  return messages[0].content;
}

type Fields = Record<string, unknown>;
type Sender = (session: string, input: Fields) => Promise<unknown>;

const throughMcp =
  (open: (session: string) => Promise<McpClient>): Sender =>
  async (session, input) => {
    const client = await open(session);
    const answer = await client.call('send_message', input);
    await client.close();
    expect(answer.isError, answer.text).toBe(false);
  };

const doors: [string, Sender][] = [
  ['HTTP', (session, input) => call(hub.url, 'send_message', input, { agent: 'ann', session })],
  [
    'the client',
    (session, input) => new HubClient({ url: hub.url, agent: 'ann', session }).request('send_message', input),
  ],
  ...generations.map((generation): [string, Sender] => [
    `MCP ${generation}`,
    throughMcp((session) => connectMcp(generation, `${hub.url}/mcp?agent=ann&session=${session}`)),
  ]),
  [
    'the stdio bridge',
    throughMcp((session) => connectStdio('v2 2026', [...hub.flags, '--session', session, '--agent', 'ann'])),
  ],
  [
    'the command line',
    async (session, input) => {
      const args = ['call', 'send_message', '--json', '-', '--url', hub.url, '--session', session, '--as', 'ann'];
      const { exitCode, stderr } = await runCli(args, { stdin: JSON.stringify(input) });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    },
  ],
];

describe.each(doors)('sent through %s', (_, send) => {
  it('every block comes back as it was, in the one form, with all its fields', async () => {
    for (const content of [everyBlock, everyBlock.map(inSnakeCase)]) {
      const session = await room();
      await send(session, { target: 'ben', content, shareThinking: true });
      expect(await received(session)).toEqual(everyBlock);
    }
  });
});

it('a block in the words of other frameworks is written in ours', async () => {
  const session = await room();
  const content = [
    { type: 'tool_result', id: 'c1', output: 'x' },
    { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: 'y' }], is_error: false },
    { type: 'image', data: pixel, mimeType: 'image/png', annotations: { audience: ['user'] } },
    { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'note:1', mimeType: 'text/markdown', text: '# Hi' } },
    { type: 'resource', resource: { uri: 'pic:1', mimeType: 'image/png', blob: pixel } },
    { type: 'resource_link', uri: 'https://example.com/v.mp4', name: 'v', mimeType: 'video/mp4' },
    { type: 'resource_link', uri: 'https://example.com/doc', name: 'doc', description: 'the plan' },
  ];
  await call(hub.url, 'send_message', { target: 'ben', content }, { agent: 'ann', session });
  expect(await received(session)).toEqual([
    { type: 'tool_result', toolUseId: 'c1', output: 'x' },
    { type: 'tool_result', toolUseId: 'c2', output: [{ type: 'text', text: 'y' }], isError: false },
    {
      type: 'image',
      source: { type: 'base64', mediaType: 'image/png', data: pixel },
      annotations: { audience: ['user'] },
    },
    { type: 'audio', source: { type: 'base64', mediaType: 'audio/wav', data: 'UklGRg==' } },
    { type: 'text', text: '# Hi', resource: { uri: 'note:1', mimeType: 'text/markdown' } },
    {
      type: 'image',
      source: { type: 'base64', mediaType: 'image/png', data: pixel },
      resource: { uri: 'pic:1', mimeType: 'image/png' },
    },
    {
      type: 'video',
      source: { type: 'url', url: 'https://example.com/v.mp4', mediaType: 'video/mp4' },
      link: { name: 'v' },
    },
    { type: 'text', text: 'https://example.com/doc', link: { name: 'doc', description: 'the plan' } },
  ]);
});

it('the JSON of the published example is read as it stands there', async () => {
  const session = await room();
  const content = [
    { type: 'text', text: 'What is this image?' },
    { type: 'image', source: { type: 'url', url: 'https://example.com/photo.jpg' } },
  ];
  const input = { target: 'ben', role: 'USER', content, metadata: {} };
  await call(hub.url, 'send_message', input, { agent: 'ann', session });
  const { messages } = await call(hub.url, 'get_messages', {}, { agent: 'ben', session });
  expect(messages[0]).toMatchObject({ role: 'USER', sender: 'ann', content, timestamp: expect.stringMatching(/Z$/) });
});

it('a message of tool results alone speaks as the tool', async () => {
  const session = await room();
  const content = [{ type: 'tool_result', toolUseId: 'c1', output: [{ type: 'text', text: 'Beijing: Sunny' }] }];
  await call(hub.url, 'send_message', { target: 'ben', content }, { agent: 'ann', session });
  const { messages } = await call(hub.url, 'get_messages', {}, { agent: 'ben', session });
  expect(messages[0].role).toBe('TOOL');
});

it('a thread is opened with blocks too', async () => {
  const session = await room();
  const content = [{ type: 'image', source: { type: 'base64', mediaType: 'image/png', data: pixel } }];
  const input = { title: 'T', participants: ['ben'], initial_message: content };
  const { threadId } = await call(hub.url, 'create_thread', input, { agent: 'ann', session });
  const { messages } = await call(hub.url, 'get_thread', { threadId }, { agent: 'ben', session });
  expect(messages.at(-1).content).toEqual(content);
});
