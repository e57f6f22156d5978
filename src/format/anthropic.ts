// Anthropic Messages.
import { isMedia, isPlainImage, shortText, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { JsonObject, MediaBlock, Said, SaidBlock, TextBlock, ToolResultBlock } from './said.js';
import { hasWords, textField } from './texts.js';
import { argumentsObject, isError, outputOf, safeIds, toolNameOf, writeWithCalls } from './tools.js';

const idForm = { charsMax: 64, forbidden: /[^a-zA-Z0-9_-]/g };

export const anthropic: Provider = {
  system: 'aside',
  takes: isPlainImage,
  // A message or a text without a word in it is refused.
  speech: (said) => messageOf(said, said.blocks.flatMap(blockOf)),
  exchange(said, answered) {
    const ids = safeIds(answered, idForm);
    const asked = writeWithCalls(said.blocks, ids, {
      call: (call, id) => ({ type: 'tool_use', id, name: toolNameOf(call), input: argumentsObject(call) }),
      other: blockOf,
    });
    // All results of one turn stand in one user message: apart they teach the model not to call in parallel.
    const results = answered.flatMap(({ result }, index) =>
      result === undefined ? [] : [resultOf(result, ids[index])],
    );
    return [...messageOf(said, asked), ...(results.length === 0 ? [] : [{ role: 'user', content: results }])];
  },
  history: plainHistory,
};

function messageOf({ role, isCached }: Said, content: JsonObject[]): JsonObject[] {
  const last = content.at(-1);
  if (last === undefined) return [];
  if (isCached !== true) return [{ role, content }];
  return [{ role, content: [...content.slice(0, -1), { ...last, cache_control: { type: 'ephemeral' } }] }];
}

function blockOf(block: SaidBlock): JsonObject[] {
  if (block.type === 'text') return hasWords(block) ? [{ type: 'text', text: block.text }] : [];
  if (block.type !== 'thinking') return isMedia(block) ? imageOf(block) : [];
  const redacted = textField(block, 'redactedData');
  if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }];
  // A thought without its signature is refused, and as a text it would be a word to others.
  const signature = textField(block, 'signature');
  return signature === undefined ? [] : [{ type: 'thinking', thinking: block.thinking, signature }];
}

function imageOf(block: MediaBlock): JsonObject[] {
  const source = sourceOf(block);
  if (source.type === 'elsewhere') return [];
  if (source.type === 'url') return [{ type: 'image', source: { type: 'url', url: source.url } }];
  const mediaType = source.mediaType.toLowerCase().replace('image/jpg', 'image/jpeg');
  return [{ type: 'image', source: { type: 'base64', data: source.data, media_type: mediaType } }];
}

function resultOf(result: ToolResultBlock, id: string | undefined): JsonObject {
  const content = outputOf(result).flatMap((part) => blockOf(taken(part)));
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(content.length === 0 ? {} : { content }),
    ...(isError(result) ? { is_error: true } : {}),
  };
}

function taken(part: TextBlock | MediaBlock): TextBlock | MediaBlock {
  return isMedia(part) && !isPlainImage(part) ? shortText(part) : part;
}
