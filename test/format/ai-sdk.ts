// An independent implementation to compare with: the AI SDK's provider packages. Their requests are caught on the way out.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { ContentBlock, GivenMessage } from '../../dist/contract/index.js';

export const checkedProviders = ['openai', 'openai-responses', 'anthropic', 'gemini'] as const;
export type CheckedProvider = (typeof checkedProviders)[number];

class Caught extends Error {}

/** The body that the SDK would send for these messages. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function bodyOf(provider: CheckedProvider, messages: readonly GivenMessage[]): Promise<any> {
  let body = '';
  const fetch = (_: unknown, init?: { body?: unknown }): Promise<Response> => {
    body = String(init?.body);
    return Promise.reject(new Caught());
  };
  const settings = { apiKey: 'none', fetch };
  const model = {
    openai: () => createOpenAI(settings).chat('gpt-4o-audio-preview'),
    'openai-responses': () => createOpenAI(settings).responses('gpt-4o'),
    anthropic: () => createAnthropic(settings)('claude-sonnet-4-5'),
    gemini: () => createGoogleGenerativeAI(settings)('gemini-2.5-pro'),
  }[provider]();
  const prompt = joinResults(messages).flatMap(promptOf);
  // Everything is kept on the caller's side: no ids of stored items.
  const providerOptions = {
    openai: { store: false },
    anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } },
  };
  await Promise.resolve(model.doGenerate({ prompt, providerOptions, maxOutputTokens: 2_048 })).catch(
    (error: unknown) => {
      if (body === '') throw error;
    },
  );
  return JSON.parse(body);
}

/** There, all results of one turn are one message. */
function joinResults(messages: readonly GivenMessage[]): GivenMessage[] {
  const joined: GivenMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'TOOL' && last?.role === 'TOOL') last.content = [...last.content, ...message.content];
    else joined.push({ ...message });
  }
  return joined;
}

type Prompt = Parameters<ReturnType<ReturnType<typeof createOpenAI>['chat']>['doGenerate']>[0]['prompt'];
type Entry = Prompt[number];
type Part<Role extends Entry['role']> = Exclude<Extract<Entry, { role: Role }>['content'], string>[number];

function promptOf({ role, content }: GivenMessage): Entry[] {
  if (role === 'SYSTEM') return [{ role: 'system', content: content.map((block) => textOf(block)).join('\n') }];
  if (role === 'TOOL') return [{ role: 'tool', content: content.flatMap(resultOf) }];
  if (role === 'USER') return [{ role: 'user', content: content.flatMap(userPart) }];
  return [{ role: 'assistant', content: content.flatMap(assistantPart) }];
}

function textOf(block: ContentBlock): string {
  return block.type === 'text' ? block.text : '';
}

function userPart(block: ContentBlock): Part<'user'>[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type !== 'image' && block.type !== 'audio' && block.type !== 'video') return [];
  const { source } = block;
  if (source.type === 'url')
    return [{ type: 'file' as const, mediaType: `${block.type}/*`, data: new URL(source.url) }];
  return source.type === 'base64' ? [{ type: 'file', mediaType: source.mediaType, data: source.data }] : [];
}

function assistantPart(block: ContentBlock): Part<'assistant'>[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type === 'thinking') {
    const signature = typeof block['signature'] === 'string' ? { anthropic: { signature: block['signature'] } } : {};
    return [{ type: 'reasoning' as const, text: block.thinking, providerOptions: signature }];
  }
  if (block.type !== 'tool_use') return [];
  const google =
    typeof block['thoughtSignature'] === 'string'
      ? { providerOptions: { google: { thoughtSignature: block['thoughtSignature'] } } }
      : {};
  return [{ type: 'tool-call' as const, toolCallId: block.id, toolName: block.name, input: block.input, ...google }];
}

function resultOf(block: ContentBlock): Part<'tool'>[] {
  if (block.type !== 'tool_result') return [];
  const parts = typeof block.output === 'string' ? [{ type: 'text' as const, text: block.output }] : block.output;
  const [first] = parts;
  const value = first?.type === 'text' ? first.text : '';
  const isError = block['isError'] === true;
  const output =
    parts.length < 2
      ? { type: isError ? ('error-text' as const) : ('text' as const), value }
      : { type: 'content' as const, value: parts.map(contentPart) };
  const toolName = typeof block['name'] === 'string' ? block['name'] : 'f';
  return [{ type: 'tool-result' as const, toolCallId: block.toolUseId, toolName, output }];
}

function contentPart(part: Exclude<Extract<ContentBlock, { type: 'tool_result' }>['output'], string>[number]) {
  if (part.type === 'text') return { type: 'text' as const, text: part.text };
  const { source } = part;
  if (source.type === 'url') return { type: 'image-url' as const, url: source.url };
  if (source.type !== 'base64') throw new Error('no case has such a source');
  return { type: 'image-data' as const, data: source.data, mediaType: source.mediaType };
}
