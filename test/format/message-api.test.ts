// Messages as a program builds, asks, writes and reads them.
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Base64Source,
  blocksOfType,
  getTextContent,
  hasToolCall,
  HubError,
  ImageBlock,
  Msg,
  pairToolCalls,
  readMessages,
  textContent,
  TextBlock,
  ThinkingBlock,
  ToolResult,
  ToolResultBlock,
  ToolUseBlock,
  URLSource,
  type ContentBlock,
} from '../../dist/contract/index.js';
import { wildMessages } from './arbitrary-messages.js';

describe('building', () => {
  it('writes the blocks of the published examples as they are shown there', () => {
    expect(TextBlock.builder().text('Hello, how can I help you?').build()).toEqual({
      type: 'text',
      text: 'Hello, how can I help you?',
    });
    expect(ImageBlock.builder().source(URLSource.of('https://example.com/image.jpg')).build()).toEqual({
      type: 'image',
      source: { type: 'url', url: 'https://example.com/image.jpg' },
    });
    const data = Base64Source.builder().mediaType('image/png').data('aGk=').build();
    expect(ImageBlock.builder().source(data).build().source).toEqual({
      type: 'base64',
      mediaType: 'image/png',
      data: 'aGk=',
    });
    expect(ThinkingBlock.builder().thinking('Let me analyze this problem...').build().type).toBe('thinking');
    expect(ToolUseBlock.builder().id('call_abc123').name('get_weather').input({ city: 'Beijing' }).build()).toEqual({
      type: 'tool_use',
      id: 'call_abc123',
      name: 'get_weather',
      input: { city: 'Beijing' },
    });
  });

  it('takes a text as one text block', () => {
    const short = Msg.builder().textContent('Hello').build();
    expect(short.content).toEqual([{ type: 'text', text: 'Hello' }]);
    expect(Msg.of({ content: 'Hello' }).content).toEqual(short.content);
  });

  it('takes roles in any case', () => {
    expect(Msg.builder().role('assistant').textContent('Hi').build().role).toBe('ASSISTANT');
  });

  it('keeps a failure a failure', () => {
    const failed = ToolResult.error('call_abc123', 'API call failed: Connection timeout');
    expect(failed).toEqual({
      type: 'tool_result',
      toolUseId: 'call_abc123',
      output: [{ type: 'text', text: 'API call failed: Connection timeout' }],
      isError: true,
    });
    expect(ToolResultBlock).toBe(ToolResult);
  });

  it.each([
    ['an image without a source', () => ImageBlock.builder().build(), /^image\.source: /],
    ['bad base64', () => ImageBlock.of(Base64Source.of('image/png', 'no base64!')), /^image\.source/],
    ['a time that is none', () => Msg.builder().timestamp(new Date(Number.NaN)).build(), /^timestamp: must be a valid/],
    ['a call without a name', () => ToolUseBlock.builder().id('c').build(), /^tool_use\.name: /],
  ])('refuses %s where it is built', (_, build, message) => {
    expect(build).toThrow(message);
    expect(build).toThrow(HubError);
  });
});

describe('asking', () => {
  const msg = Msg.of({
    content: [
      TextBlock.of('Let me'),
      ToolUseBlock.of('call_001', 'get_weather', { city: 'Beijing' }),
      TextBlock.of('check'),
    ],
  });

  it('joins text blocks by newlines', () => {
    expect(msg.getTextContent()).toBe('Let me\ncheck');
    expect([msg.textContent, getTextContent(msg), textContent(msg)]).toEqual(Array(3).fill('Let me\ncheck'));
    expect(Msg.of({}).getTextContent()).toBe('');
  });

  it('finds blocks by their type, and calls', () => {
    expect(msg.blocksOfType('tool_use').map(({ name }) => name)).toEqual(['get_weather']);
    expect(blocksOfType(msg, 'image')).toEqual([]);
    expect([msg.hasToolCall(), hasToolCall(Msg.of({ content: 'x' }))]).toEqual([true, false]);
  });

  it('pairs calls and results by id, the last asked first, and names the strays', () => {
    const messages = [
      Msg.of({ content: [ToolUseBlock.of('c1', 'f'), ToolUseBlock.of('c2', 'g')] }),
      Msg.of({ content: [ToolResult.of('c2', 'two'), ToolResult.of('c1', 'one')] }),
      Msg.of({ content: [ToolUseBlock.of('c1', 'again'), ToolUseBlock.of('c9', 'open')] }),
      Msg.of({ content: [ToolResult.of('c1', 'three'), ToolResult.of('c1', 'twice'), ToolResult.of('nobody', 'x')] }),
    ];
    const { pairs, strayResults } = pairToolCalls(messages);
    expect(pairs.map(({ call, result }) => [call.block.name, result?.block.output ?? null])).toEqual([
      ['f', 'one'],
      ['g', 'two'],
      ['again', 'three'],
      ['open', null],
    ]);
    expect(strayResults.map(({ block, message, index }) => [block.output, message, index])).toEqual([
      ['twice', 3, 1],
      ['x', 3, 2],
    ]);
  });

  it('does not take another agent’s result for that of a call', () => {
    const said = (sender: string, ...content: ContentBlock[]) => ({ sender, content });
    const call = ToolUseBlock.of('c1', 'run_tests');
    const { pairs, strayResults } = pairToolCalls([
      said('ben', call),
      said('eve', ToolResult.of('c1', 'ALL GREEN')),
      said('ben', ToolResult.of('c1', '3 FAILED')),
    ]);
    expect(pairs.map(({ result }) => result?.block.output)).toEqual(['3 FAILED']);
    expect(strayResults.map(({ block }) => block.output)).toEqual(['ALL GREEN']);
  });
});

describe('JSON', () => {
  const example = {
    name: 'user',
    role: 'USER',
    content: [
      { type: 'text', text: 'What is this image?' },
      { type: 'image', source: { type: 'url', url: 'https://example.com/photo.jpg' } },
    ],
    metadata: {},
    id: 'msg_001',
    timestamp: '2024-01-15T10:30:00Z',
  };

  it('of the published examples is read and written as shown', () => {
    expect(JSON.stringify(Msg.fromJSON(JSON.stringify(example)))).toBe(JSON.stringify(example));
  });

  it('of the hub keeps its other fields', () => {
    const hubs = { id: 'ma1', seq: 1, sender: 'ann', role: 'USER', content: [], metadata: {}, timestamp: 'x' };
    expect(Msg.fromJSON(hubs).toJSON()).toEqual({ name: 'ann', ...hubs });
  });

  it('without a role is an assistant’s, or a tool’s if all blocks are results', () => {
    expect(Msg.fromJSON({ content: 'Hi' }).role).toBe('ASSISTANT');
    expect(Msg.fromJSON({ content: [ToolResult.of('c', 'ok')] }).role).toBe('TOOL');
  });

  it('comes back as it was, whatever the message', () => {
    fc.assert(
      fc.property(wildMessages, (messages) => {
        for (const given of messages) {
          const json = Msg.fromJSON(given).toJSON();
          expect(Msg.fromJSON(JSON.stringify(json)).toJSON()).toEqual(json);
          expect(json.content).toEqual(given.content);
        }
      }),
    );
  });

  it('that is none is refused as such', () => {
    expect(() => Msg.fromJSON('{"role":')).toThrow(expect.objectContaining({ code: 'JSON_INVALID' }));
    expect(() => Msg.fromJSON('7')).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it('reads the other spellings into one form', () => {
    const [read] = readMessages([
      {
        role: 'tool',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c',
            is_error: true,
            output: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }],
          },
        ],
      },
    ]);
    expect(read).toMatchObject({
      role: 'TOOL',
      content: [{ toolUseId: 'c', isError: true, output: [{ source: { mediaType: 'image/png' } }] }],
    });
  });

  it.each([
    ['no list', 'hello', 'messages'],
    ['a message that is none', ['hello'], 'messages[0]'],
    ['a role nobody has', [{ role: 'boss', content: 'x' }], 'messages[0].role'],
    ['content that is none', [{ content: 'x' }, { content: 7 }], 'messages[1].content'],
    ['a block without its text', [{ content: [{ type: 'text' }] }], 'messages[0].content[0].text'],
    ['no content', [{ role: 'USER' }], 'messages[0].content'],
  ])('with %s is refused by its path', (_, given, path) => {
    const refused = (): unknown => readMessages(given);
    expect(refused).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field: path }) }),
    );
  });
});

it('needs nothing but a browser has', () => {
  for (const folder of ['contract', 'format']) {
    const entry = readFileSync(new URL(`../../dist/${folder}/index.js`, import.meta.url), 'utf8');
    expect(entry).not.toMatch(/from 'node:/);
  }
});
