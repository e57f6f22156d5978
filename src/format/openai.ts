// OpenAI Chat Completions.
import { asDataUrl, isMedia, isPlainImage, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { Answered, JsonObject, MediaBlock, Said, SaidBlock } from './said.js';
import { participantName, textOfSaid, thoughtsOf } from './texts.js';
import { argumentsText, outputTextWithError, safeIds, toolNameOf } from './tools.js';

/** An id of more is refused. */
const idCharsMax = 40;

export const openai: Provider = {
  system: 'message',
  takes: (block) => isPlainImage(block) || audioFormat(block) !== undefined,
  speech: (said) => [
    { role: said.role, content: contentOf(said), ...nameOf(said), ...thoughts(said), ...cached(said) },
  ],
  exchange: (said, answered) => callMessages(said, answered, (call) => ({ ...call, ...nameOf(said), ...cached(said) })),
  history: { ...plainHistory, closing: '</history>\n', repeatsPrompt: true, isInParts: true },
};

/** The assistant's message with its calls, then one tool message for each result. `extra` puts in what one API adds. */
export function callMessages(
  said: Said,
  answered: readonly Answered[],
  extra: (message: JsonObject) => JsonObject,
): JsonObject[] {
  const ids = safeIds(answered, { charsMax: idCharsMax });
  const calls = answered.map(({ call }, index) => ({
    id: ids[index],
    type: 'function',
    function: { name: toolNameOf(call), arguments: argumentsText(call) },
  }));
  const results = answered.flatMap(({ result }, index) =>
    // Tool messages take text only.
    result === undefined ? [] : [{ role: 'tool', content: outputTextWithError(result), tool_call_id: ids[index] }],
  );
  const message = { role: 'assistant', content: textOfSaid(said.blocks), ...thoughts(said) };
  return [{ ...extra(message), tool_calls: calls }, ...results];
}

function contentOf({ role, blocks, isInParts }: Said): string | JsonObject[] {
  // Only a user's message may hold anything but text.
  if (role !== 'user' || (isInParts !== true && !blocks.some(isMedia))) return textOfSaid(blocks);
  return blocks.flatMap(partOf);
}

function partOf(block: SaidBlock): JsonObject[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (!isMedia(block)) return [];
  const source = sourceOf(block);
  const format = audioFormat(block);
  if (format !== undefined && source.type === 'base64') {
    return [{ type: 'input_audio', input_audio: { data: source.data, format } }];
  }
  if (source.type === 'elsewhere') return [];
  return [{ type: 'image_url', image_url: { url: source.type === 'url' ? source.url : asDataUrl(source) } }];
}

function audioFormat(block: MediaBlock): 'wav' | 'mp3' | undefined {
  const source = sourceOf(block);
  if (block.type !== 'audio' || source.type !== 'base64') return undefined;
  if (/^audio\/(?:x-|vnd\.)?wave?$/i.test(source.mediaType)) return 'wav';
  return /^audio\/(?:mp3|mpeg)$/i.test(source.mediaType) ? 'mp3' : undefined;
}

function nameOf(said: Said): JsonObject {
  const name = said.role === 'system' ? undefined : participantName(said);
  return name === undefined ? {} : { name };
}

/** Not a field of OpenAI's own, but of the many servers that speak its API; they want it back. */
function thoughts({ role, blocks }: Said): JsonObject {
  const text = role === 'assistant' ? thoughtsOf(blocks) : '';
  return text === '' ? {} : { reasoning_content: text };
}

function cached({ isCached }: Said): JsonObject {
  return isCached === true ? { cache_control: { type: 'ephemeral' } } : {};
}
