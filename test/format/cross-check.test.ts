// Ours beside an independent implementation, for whatever both can say. Where the two write the same thing in two ways
// that the API reads alike, `alike` brings them together; nothing else is evened out.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMessages } from '../../dist/contract/index.js';
import { formatMessages } from '../../dist/format/index.js';
import { bodyOf, checkedProviders, type CheckedProvider } from './ai-sdk.js';

interface Talk {
  name: string;
  input: unknown;
  /** Who cannot say it there, and why. */
  except?: Partial<Record<CheckedProvider, string>>;
}

const fromCases = new Map<string, unknown>(
  JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8')).map((one: Talk) => [
    one.name.replace(/^\w+\/chat\//, ''),
    one.input,
  ]),
);
const reference = (name: string, except: Talk['except'] = {}): Talk => ({ name, input: fromCases.get(name), except });

const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string, name = 'f') => ({ type: 'tool_use', id, name, input: { city: 'Oslo', n: 1 } });
const result = (id: string, words: string, more = {}) => ({
  type: 'tool_result',
  toolUseId: id,
  name: 'f',
  output: [text(words)],
  ...more,
});
const user = (...content: unknown[]) => ({ role: 'USER', content });
const bot = (...content: unknown[]) => ({ role: 'ASSISTANT', content });

const talks: Talk[] = [
  reference('tool_round'),
  reference('parallel_two_msgs'),
  reference('image_url'),
  reference('image_b64'),
  reference('tooluse_bad_content'),
  reference('cache_control'),
  reference('thinking_tool', { gemini: 'there, unsigned thoughts are sent back as text' }),
  reference('toolres_two_text', { openai: 'there, a list is sent as its JSON', gemini: 'there, texts are joined' }),
  reference('toolres_text_image', { openai: 'as above', gemini: 'as above' }),
  {
    name: 'a system text and a talk',
    input: [{ role: 'SYSTEM', content: 'Be brief.' }, user(text('Hi')), bot(text('Hello')), user(text('Bye'))],
  },
  { name: 'two texts of the user', input: [user(text('One'), text('Two')), bot(text('Hello')), user(text('Bye'))] },
  {
    name: 'parallel results in one message',
    input: [
      user(text('Go')),
      bot(text('Both'), use('a'), use('b')),
      { role: 'TOOL', content: [result('a', '1'), result('b', '2')] },
      bot(text('Done')),
    ],
  },
  {
    name: 'a failed result',
    input: [
      user(text('Go')),
      bot(use('a')),
      { role: 'TOOL', content: [result('a', 'Error: no net', { isError: true })] },
    ],
    except: { gemini: 'there, an error looks like an output' },
  },
  {
    name: 'a signed thought',
    input: [
      user(text('Go')),
      bot({ type: 'thinking', thinking: 'hm', signature: 'c2ln' }, use('a')),
      { role: 'TOOL', content: [result('a', '1')] },
    ],
    except: { gemini: 'as for thinking_tool' },
  },
  {
    name: 'a sound',
    input: [user(text('Hear'), { type: 'audio', source: { type: 'base64', mediaType: 'audio/wav', data: 'aGk=' } })],
    except: { anthropic: 'refused there, a short text here', 'openai-responses': 'the same' },
  },
  {
    name: 'a film',
    input: [user(text('See'), { type: 'video', source: { type: 'base64', mediaType: 'video/mp4', data: 'aGk=' } })],
    except: { openai: 'refused there, a short text here', anthropic: 'the same', 'openai-responses': 'the same' },
  },
];

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const alike: Record<CheckedProvider, (messages: Json[]) => Json[]> = {
  // Names, thoughts and cache marks are only ours; no text beside calls is null there.
  openai: (messages) =>
    messages.map((message) => {
      const shared = { ...message, content: message.content ?? '' };
      for (const field of ['name', 'reasoning_content', 'cache_control']) delete shared[field];
      return shared;
    }),
  'openai-responses': (messages) => messages,
  // A result's one text may be a string.
  anthropic: (messages) =>
    messages.map((message) => ({
      ...message,
      content: message.content.map((block: Json) =>
        typeof block.content === 'string' ? { ...block, content: [text(block.content)] } : block,
      ),
    })),
  // A response is an object of free shape; Google's own advice is `output`.
  gemini: (messages) =>
    messages.map((message) => ({
      ...message,
      parts: message.parts.map(({ functionResponse: response, ...part }: Json) =>
        response === undefined
          ? part
          : {
              ...part,
              functionResponse: { ...response, response: response.response.content ?? response.response.output },
            },
      ),
    })),
};

const systemOf = (body: Json): string | undefined =>
  (body.system ?? body.systemInstruction?.parts)?.map((part: { text: string }) => part.text).join('\n\n');

describe.each(checkedProviders)('the AI SDK for %s', (provider) => {
  it.each(talks.filter(({ except = {} }) => except[provider] === undefined))(
    'writes $name as we do',
    async ({ input }) => {
      const messages = readMessages(input);
      const body = await bodyOf(provider, messages);
      const ours = formatMessages(messages, { provider });
      expect(alike[provider](ours.messages)).toEqual(alike[provider](body.messages ?? body.input ?? body.contents));
      expect(ours.system).toBe(systemOf(body));
    },
  );
});
