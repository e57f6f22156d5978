// Anthropic Messages.
import { isMedia, isPlainImage, mediaText, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { JsonObject, MediaBlock, TurnMessage, TurnBlock, TextBlock, ToolResultBlock } from './turn.js';
import { isNotBlank, textField } from './text.js';
import { argumentsObject, isError, outputOf, safeIds, toolNameOf, formatBlocks } from './tools.js';

const idForm = { charsMax: 64, forbidden: /[^a-zA-Z0-9_-]/g };

export const anthropic: Provider = {
  system: 'separate',
  supports: isPlainImage,
  // The API refuses an empty message and a blank text.
  formatMessage: (message) => messageOf(message, message.blocks.flatMap(blockOf)),
  formatToolCalls(message, exchanges) {
    const ids = safeIds(exchanges, idForm);
    const withCalls = formatBlocks(message.blocks, ids, {
      call: (call, id) => ({ type: 'tool_use', id, name: toolNameOf(call), input: argumentsObject(call) }),
      other: blockOf,
    });
    // All results of one turn go into one user message: separate ones teach the model not to call in parallel.
    const results = exchanges.flatMap(({ result }, index) =>
      result === undefined ? [] : [resultOf(result, ids[index])],
    );
    return [...messageOf(message, withCalls), ...(results.length === 0 ? [] : [{ role: 'user', content: results }])];
  },
  history: plainHistory,
};

function messageOf({ role, isCached }: TurnMessage, content: JsonObject[]): JsonObject[] {
  const last = content.at(-1);
  if (last === undefined) return [];
  if (isCached !== true) return [{ role, content }];
  return [{ role, content: [...content.slice(0, -1), { ...last, cache_control: { type: 'ephemeral' } }] }];
}

function blockOf(block: TurnBlock): JsonObject[] {
  if (block.type === 'text') return isNotBlank(block) ? [{ type: 'text', text: block.text }] : [];
  if (block.type !== 'thinking') return isMedia(block) ? imageOf(block) : [];
  const redacted = textField(block, 'redactedData');
  if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }];
  // The API refuses thinking without a signature, and as text other agents would see it.
  const signature = textField(block, 'signature');
  return signature === undefined ? [] : [{ type: 'thinking', thinking: block.thinking, signature }];
}

function imageOf(block: MediaBlock): JsonObject[] {
  const source = sourceOf(block);
  if (source.type === 'unavailable') return [];
  if (source.type === 'url') return [{ type: 'image', source: { type: 'url', url: source.url } }];
  const mediaType = source.mediaType.toLowerCase().replace('image/jpg', 'image/jpeg');
  return [{ type: 'image', source: { type: 'base64', data: source.data, media_type: mediaType } }];
}

function resultOf(result: ToolResultBlock, id: string | undefined): JsonObject {
  const content = outputOf(result).flatMap((part) => blockOf(supportedPart(part)));
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(content.length === 0 ? {} : { content }),
    ...(isError(result) ? { is_error: true } : {}),
  };
}

function supportedPart(part: TextBlock | MediaBlock): TextBlock | MediaBlock {
  return isMedia(part) && !isPlainImage(part) ? mediaText(part) : part;
}
