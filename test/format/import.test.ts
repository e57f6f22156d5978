// Messages of others come in whole: what we write for a provider reads back as what it was.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMessages } from '../../dist/contract/index.js';
import { formatMessages, importMessages } from '../../dist/format/index.js';

describe('from openai', () => {
  it('reads roles, parts, calls, results and thoughts', () => {
    const theirs = [
      { role: 'developer', content: 'Be brief' },
      {
        role: 'user',
        name: 'ann',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          { type: 'image_url', image_url: { url: 'https://a.example/p.png' } },
          { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'hm',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
          { id: 'c2', type: 'function', function: { name: 'g', arguments: '{"a": 1' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'two' }] },
    ];
    expect(importMessages({ messages: theirs }, 'openai')).toEqual([
      { role: 'SYSTEM', content: [{ type: 'text', text: 'Be brief' }] },
      {
        name: 'ann',
        role: 'USER',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'aGk=' } },
          { type: 'image', source: { type: 'url', url: 'https://a.example/p.png' } },
          { type: 'audio', source: { type: 'base64', mediaType: 'audio/mpeg', data: 'aGk=' } },
        ],
      },
      {
        role: 'ASSISTANT',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
          { type: 'tool_use', id: 'c2', name: 'g', input: {}, content: '{"a": 1' },
        ],
      },
      {
        role: 'TOOL',
        content: [{ type: 'tool_result', toolUseId: 'c1', name: 'f', output: [{ type: 'text', text: 'one' }] }],
      },
      {
        role: 'TOOL',
        content: [{ type: 'tool_result', toolUseId: 'c2', name: 'g', output: [{ type: 'text', text: 'two' }] }],
      },
    ]);
  });
});

describe('from anthropic', () => {
  it('reads system, thoughts with signatures, and failed results', () => {
    const theirs = {
      system: [{ type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: 'Go' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'sig' },
            { type: 'redacted_thinking', data: 'xyz' },
            { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'no net' },
            { type: 'text', text: 'Try again' },
          ],
        },
      ],
    };
    const ours = importMessages(theirs, 'anthropic');
    expect(ours).toEqual([
      { role: 'SYSTEM', content: [{ type: 'text', text: 'Be brief' }] },
      { role: 'USER', content: [{ type: 'text', text: 'Go' }] },
      {
        role: 'ASSISTANT',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'sig' },
          { type: 'thinking', thinking: '', redactedData: 'xyz' },
          { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
        ],
      },
      {
        role: 'USER',
        content: [
          {
            type: 'tool_result',
            toolUseId: 't1',
            name: 'f',
            isError: true,
            output: [{ type: 'text', text: 'no net' }],
          },
          { type: 'text', text: 'Try again' },
        ],
      },
    ]);
    const back = formatMessages(ours, { provider: 'anthropic' });
    expect(back.messages[1]).toEqual(theirs.messages[1]);
    expect(back.messages.slice(2)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', is_error: true, content: [{ type: 'text', text: 'no net' }] },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Try again' }] },
    ]);
  });
});

describe('from openai, in the form of Responses', () => {
  const call = (id: string, args = '{}') => ({ type: 'function_call', call_id: id, name: `f${id}`, arguments: args });
  const output = (id: string, given: unknown) => ({ type: 'function_call_output', call_id: id, output: given });
  const input = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'See' },
        { type: 'input_image', image_url: 'https://a.example/p.png' },
      ],
    },
    { type: 'reasoning', id: 'r1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'c2VhbA==' },
    {
      type: 'message',
      role: 'assistant',
      id: 'm1',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Let me look', annotations: [] }],
    },
    call('1', '{"a":1}'),
    call('2', '{"a": 1'),
    output('2', [
      { type: 'input_text', text: 'two' },
      { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
    ]),
    output('1', 'one'),
    { role: 'assistant', content: 'Done' },
    { role: 'assistant', content: 'And more' },
  ];

  it('reads what was asked, thought, said, called and answered, each turn of the model as one message', () => {
    expect(importMessages({ model: 'm', instructions: 'Be brief', input }, 'openai')).toEqual([
      { role: 'SYSTEM', content: [{ type: 'text', text: 'Be brief' }] },
      {
        role: 'USER',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image', source: { type: 'url', url: 'https://a.example/p.png' } },
        ],
      },
      {
        role: 'ASSISTANT',
        content: [
          { type: 'thinking', thinking: 'hm', id: 'r1', encryptedContent: 'c2VhbA==' },
          { type: 'text', text: 'Let me look' },
          { type: 'tool_use', id: '1', name: 'f1', input: { a: 1 } },
          { type: 'tool_use', id: '2', name: 'f2', input: {}, content: '{"a": 1' },
        ],
      },
      {
        role: 'TOOL',
        content: [
          {
            type: 'tool_result',
            toolUseId: '2',
            name: 'f2',
            output: [
              { type: 'text', text: 'two' },
              { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'aGk=' } },
            ],
          },
        ],
      },
      {
        role: 'TOOL',
        content: [{ type: 'tool_result', toolUseId: '1', name: 'f1', output: [{ type: 'text', text: 'one' }] }],
      },
      { role: 'ASSISTANT', content: [{ type: 'text', text: 'Done' }] },
      { role: 'ASSISTANT', content: [{ type: 'text', text: 'And more' }] },
    ]);
  });

  it('reads the list alone, an answer, and a question that is text', () => {
    const whole = importMessages({ input }, 'openai');
    expect(importMessages(input, 'openai')).toEqual(whole);
    expect(importMessages({ output: input.slice(1, 4) }, 'openai')).toEqual([
      { role: 'ASSISTANT', content: whole[1]?.content.slice(0, 3) },
    ]);
    expect(importMessages({ input: 'Hi' }, 'openai')).toEqual([
      { role: 'USER', content: [{ type: 'text', text: 'Hi' }] },
    ]);
  });
});

interface ReferenceCase {
  name: string;
  provider: string;
  mode: string;
  input: unknown;
}

const cases: ReferenceCase[] = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));

describe.each(['openai', 'anthropic'] as const)('what we wrote for %s', (provider) => {
  // An address that had to become text is text from then on.
  const isTextNow = (name: string) => name.endsWith('/audio_url');
  it.each(cases.filter((one) => one.provider === provider && one.mode === 'chat' && !isTextNow(one.name)))(
    'of $name reads back, and is written the same again',
    ({ input }) => {
      const written = formatMessages(readMessages(input), { provider });
      const again = formatMessages(importMessages(written, provider), { provider });
      expect(again).toEqual(written);
    },
  );
});

describe('what we wrote for openai-responses', () => {
  const provider = 'openai-responses';
  // A thought that was not sealed is left out, and nothing can bring it back.
  it.each(cases.filter((one) => one.provider === 'openai' && one.mode === 'chat'))(
    'of $name reads back, and is written the same again',
    ({ input }) => {
      const written = formatMessages(readMessages(input), { provider });
      const again = formatMessages(importMessages(written, 'openai'), { provider });
      expect(again).toEqual(written);
    },
  );
});

it.each([
  ['openai', { input: [{ type: 'web_search_call', id: 'w' }] }, 'input[0].type'],
  [
    'openai',
    { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
    'input[0].content[0].type',
  ],
  ['openai', [{ type: 'function_call', name: 'f', arguments: '{}' }], 'input[0].call_id'],
  [
    'openai',
    { output: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
    'output[0].content[0].image_url',
  ],
  ['openai', { input: [{ role: 'tool', content: 'x' }] }, 'input[0].role'],
  ['openai', { input: 7 }, 'input'],
  ['openai', [{ role: 'user', content: [{ type: 'file' }] }], 'messages[0].content[0].type'],
  ['openai', [{ role: 'tool', content: 'x' }], 'messages[0].tool_call_id'],
  ['openai', [{ role: 'boss', content: 'x' }], 'messages[0].role'],
  ['anthropic', [{ role: 'user', content: [{ type: 'server_tool_use' }] }], 'messages[0].content[0].type'],
  ['anthropic', { messages: 7 }, 'messages'],
  ['agentscope', [{ role: 'user', content: [{ type: 'text' }] }], 'messages[0].content[0].text'],
] as const)('what %s cannot mean is refused by its path', (from, document, field) => {
  expect(() => importMessages(document, from)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field }) }),
  );
});
