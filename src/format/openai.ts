// OpenAI Chat Completions.
import { asDataUrl, isMedia, isPlainImage, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { ToolExchange, JsonObject, MediaBlock, TurnMessage, TurnBlock } from './turn.js';
import { participantName, joinText, joinThinking } from './text.js';
import { argumentsText, outputTextWithError, safeIds, toolNameOf } from './tools.js';

/** The API refuses longer ids. */
const idCharsMax = 40;

export const openai: Provider = {
  system: 'message',
  supports: (block) => isPlainImage(block) || audioFormat(block) !== undefined,
  formatMessage: (message) => [
    { role: message.role, content: contentOf(message), ...nameOf(message), ...reasoning(message), ...cached(message) },
  ],
  formatToolCalls: (message, exchanges) =>
    callMessages(message, exchanges, (call) => ({ ...call, ...nameOf(message), ...cached(message) })),
  history: { ...plainHistory, closing: '</history>\n', repeatPrompt: true, asParts: true },
};

/** The assistant's message with its calls, then one tool message per result. `extra` adds API-specific fields. */
export function callMessages(
  message: TurnMessage,
  exchanges: readonly ToolExchange[],
  extra: (message: JsonObject) => JsonObject,
): JsonObject[] {
  const ids = safeIds(exchanges, { charsMax: idCharsMax });
  const calls = exchanges.map(({ call }, index) => ({
    id: ids[index],
    type: 'function',
    function: { name: toolNameOf(call), arguments: argumentsText(call) },
  }));
  const results = exchanges.flatMap(({ result }, index) =>
    // Tool messages support text only.
    result === undefined ? [] : [{ role: 'tool', content: outputTextWithError(result), tool_call_id: ids[index] }],
  );
  const assistant = { role: 'assistant', content: joinText(message.blocks), ...reasoning(message) };
  return [{ ...extra(assistant), tool_calls: calls }, ...results];
}

function contentOf({ role, blocks, asParts }: TurnMessage): string | JsonObject[] {
  const parts = blocks.flatMap(partOf);
  const isOneText = parts.length < 2 && asParts !== true && !blocks.some(isMedia);
  // Only user messages support media.
  return role !== 'user' || isOneText ? joinText(blocks) : parts;
}

function partOf(block: TurnBlock): JsonObject[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (!isMedia(block)) return [];
  const source = sourceOf(block);
  const format = audioFormat(block);
  if (format !== undefined && source.type === 'base64') {
    return [{ type: 'input_audio', input_audio: { data: source.data, format } }];
  }
  if (source.type === 'unavailable') return [];
  return [{ type: 'image_url', image_url: { url: source.type === 'url' ? source.url : asDataUrl(source) } }];
}

function audioFormat(block: MediaBlock): 'wav' | 'mp3' | undefined {
  const source = sourceOf(block);
  if (block.type !== 'audio' || source.type !== 'base64') return undefined;
  if (/^audio\/(?:x-|vnd\.)?wave?$/i.test(source.mediaType)) return 'wav';
  return /^audio\/(?:mp3|mpeg)$/i.test(source.mediaType) ? 'mp3' : undefined;
}

function nameOf(message: TurnMessage): JsonObject {
  const name = message.role === 'system' ? undefined : participantName(message);
  return name === undefined ? {} : { name };
}

/** Not part of OpenAI's API, but used and required back by many compatible servers. */
function reasoning({ role, blocks }: TurnMessage): JsonObject {
  const text = role === 'assistant' ? joinThinking(blocks) : '';
  return text === '' ? {} : { reasoning_content: text };
}

function cached({ isCached }: TurnMessage): JsonObject {
  return isCached === true ? { cache_control: { type: 'ephemeral' } } : {};
}
