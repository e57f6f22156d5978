// What formatMessages takes, and what it refuses.
import { describe, expect, it } from 'vitest';
import { HubError } from '../../dist/contract/index.js';
import { formatMessages, importMessages, type FormatOptions } from '../../dist/format/index.js';
import { processorMs } from '../support/processor-time.js';

describe('formatMessages', () => {
  it('takes plain strings, as content and as messages of the user', () => {
    const messages = [
      'Hi',
      { role: 'assistant' as const, content: 'Hello' },
      { role: 'USER' as const, content: 'Bye' },
    ];
    expect(formatMessages(messages, { provider: 'ollama' }).messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Bye' },
    ]);
  });

  it.each([
    ['provider', { provider: 'opnai' }, 'Did you mean openai?'],
    ['provider', { provider: 'constructor' }, 'Allowed: openai, '],
    ['provider', {}, 'Allowed: openai, '],
    ['mode', { provider: 'openai', mode: 'multi-agent' }, 'Did you mean multiagent?'],
    ['style', { provider: 'openai', mode: 'multiagent', style: 'bracket' }, 'Did you mean brackets?'],
  ])('refuses an unknown %s of %j', (field, options, hint) => {
    // As a program in plain JavaScript would call it.
    const refused = () => formatMessages([], options as unknown as FormatOptions);
    expect(refused).toThrow(HubError);
    expect(refused).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        hint: expect.stringContaining(hint),
        details: expect.objectContaining({ field }),
      }),
    );
  });

  it.each([
    ['a role nobody has', { role: 'boss', content: 'x' }, 'messages[1].role'],
    ['no content', { role: 'user' }, 'messages[1].content'],
    ['no message', null, 'messages[1]'],
    ['a number', 5, 'messages[1]'],
    ['a block for a message', { type: 'text', text: 'x' }, 'messages[1].content'],
    ['content that is a number', { content: 5 }, 'messages[1].content'],
    ['a block that is null', { content: [null] }, 'messages[1].content[0]'],
    ['a text block without text', { content: [{ type: 'text' }] }, 'messages[1].content[0].text'],
    ['a block of no kind', { content: [{ type: 'txt' }] }, 'messages[1].content[0].type'],
    ['an image without a source', { content: [{ type: 'image' }] }, 'messages[1].content[0].source'],
    ['a role that is a number', { role: 5, content: 'x' }, 'messages[1].role'],
    ['a name that is a list', { name: ['ann'], content: 'x' }, 'messages[1].name'],
  ])('refuses %s by its path', (_, message, field) => {
    for (const mode of ['chat', 'multiagent'] as const) {
      const refused = () => formatMessages(['Hi', message as unknown as string], { provider: 'openai', mode });
      expect(refused).toThrow(HubError);
      expect(refused).toThrow(expect.objectContaining({ details: expect.objectContaining({ field }) }));
    }
  });

  it('refuses what is no list of messages', () => {
    const refused = () => formatMessages({ messages: [] } as unknown as string[], { provider: 'openai' });
    expect(refused).toThrow(expect.objectContaining({ details: expect.objectContaining({ field: 'messages' }) }));
  });

  it('takes null for a field that is not given, as many programs write it', () => {
    const message = { name: null, sender: null, role: null, content: 'Hi' } as unknown as string;
    expect(formatMessages([message], { provider: 'openai' })).toEqual(
      formatMessages([{ content: 'Hi' }], { provider: 'openai' }),
    );
  });
});

it('importMessages refuses an unknown source', () => {
  const refused = () => importMessages([], 'antropic' as unknown as 'anthropic');
  expect(refused).toThrow(expect.objectContaining({ hint: expect.stringContaining('Did you mean anthropic?') }));
});

describe('two texts of the user', () => {
  const content = ['one', 'two'].map((text) => ({ type: 'text' as const, text }));
  const format = (provider: FormatOptions['provider'], options: Partial<FormatOptions> = {}) =>
    formatMessages([{ role: 'USER', name: 'ann', content }], { provider, ...options }).messages;

  it('stay two parts where the provider takes parts', () => {
    expect(format('openai')).toEqual([{ role: 'user', name: 'ann', content }]);
    expect(format('anthropic')).toEqual([{ role: 'user', content }]);
    expect(format('gemini')).toEqual([{ role: 'user', parts: [{ text: 'one' }, { text: 'two' }] }]);
    expect(format('openai-responses')).toEqual([
      { role: 'user', content: content.map(({ text }) => ({ type: 'input_text', text })) },
    ]);
    expect(format('openai', { mode: 'multiagent' })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: '[ann]: one' },
          { type: 'text', text: 'two' },
        ],
      },
    ]);
  });

  it.each(['dashscope', 'ollama', 'deepseek'] as const)('are one text for %s, which takes one', (provider) => {
    expect(format(provider)).toEqual([expect.objectContaining({ role: 'user', content: 'one\ntwo' })]);
  });
});

it('a single text of the user stays a plain string', () => {
  const content = [{ type: 'text' as const, text: 'one' }];
  expect(formatMessages([{ role: 'USER', content }], { provider: 'openai' }).messages).toEqual([
    { role: 'user', content: 'one' },
  ]);
});

it('the media type of a long URL is found in a moment', () => {
  const typeOf = (url: string) =>
    JSON.stringify(
      formatMessages([{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }], {
        provider: 'gemini',
      }),
    );
  expect(processorMs(() => typeOf(`https://example.com/${'.a?'.repeat(80_000)}\n`))).toBeLessThan(2_000);
  expect(typeOf('https://example.com/a.PNG?size=1.5#top')).toContain('image/png');
  expect(typeOf('https://example.com/view?file=a.png')).not.toContain('image/jpeg');
});
