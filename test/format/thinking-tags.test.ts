// Reasoning that a model wrote in tags is split from its answer, whichever way a message comes in.
import { describe, expect, it } from 'vitest';
import { Msg, readMessages, type ContentBlock } from '../../dist/contract/index.js';
import { formatMessages, importMessages } from '../../dist/format/index.js';
import { output } from '../cli/run-cli.js';

type Read = (role: 'assistant' | 'user', text: string) => readonly ContentBlock[] | undefined;

const readers: [string, Read][] = [
  ['the builder', (role, text) => Msg.builder().role(role).textContent(text).build().content],
  ['fromJSON', (role, text) => Msg.fromJSON({ role, content: text }).content],
  ['readMessages', (role, text) => readMessages([{ role, content: text }])[0]?.content],
  ['import from openai', (role, text) => importMessages([{ role, content: text }], 'openai')[0]?.content],
  ['import from anthropic', (role, text) => importMessages([{ role, content: text }], 'anthropic')[0]?.content],
  ['import from agentscope', (role, text) => importMessages([{ role, content: text }], 'agentscope')[0]?.content],
];

describe.each(readers)('%s', (_, read) => {
  it('splits the tags at the beginning of an assistant’s text', () => {
    expect(read('assistant', '\n<think>\nhm\n</think>\n\nYes')).toEqual([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'Yes' },
    ]);
  });

  it.each([
    ['a user’s text', 'user', '<think>hm</think>Yes'],
    ['an unclosed tag', 'assistant', '<think>Yes'],
    ['tags within a text', 'assistant', 'Yes <think>hm</think>'],
  ] as const)('leaves %s alone', (__, role, text) => {
    expect(read(role, text)).toEqual([{ type: 'text', text }]);
  });
});

describe('formatting', () => {
  const messages = [{ role: 'assistant' as const, content: '<think>hm</think>Yes' }];
  const formatted = { messages: [{ role: 'assistant', content: 'Yes', reasoning_content: 'hm' }] };

  it('splits it in the SDK', () => {
    expect(formatMessages(messages, { provider: 'deepseek' })).toEqual(formatted);
  });

  it('splits it in the CLI', async () => {
    const stdout = await output(['format', '--provider', 'deepseek'], { stdin: JSON.stringify(messages) });
    expect(JSON.parse(stdout)).toEqual(formatted);
  });
});
