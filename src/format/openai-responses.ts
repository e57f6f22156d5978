// OpenAI Responses: a list of input items.
import { asDataUrl, isMedia, isPlainImage, mediaText, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { ToolExchange, JsonObject, TurnMessage, TurnBlock, ThinkingBlock } from './turn.js';
import { textField, joinText } from './text.js';
import { argumentsText, isError, outputOf, outputTextWithError, safeIds, toolNameOf } from './tools.js';

const idCharsMax = 64;

export const openaiResponses: Provider = {
  system: 'message',
  supports: isPlainImage,
  formatMessage: (message) => [...message.blocks.flatMap(reasoningItem), ...messageItem(message, true)],
  formatToolCalls(message, exchanges) {
    const ids = safeIds(exchanges, { charsMax: idCharsMax });
    const calls = exchanges.map(({ call }, index) => ({
      type: 'function_call',
      call_id: ids[index],
      name: toolNameOf(call),
      arguments: argumentsText(call),
    }));
    const results = exchanges.flatMap(({ result }, index) =>
      result === undefined ? [] : [{ type: 'function_call_output', call_id: ids[index], output: outputItem(result) }],
    );
    return [...message.blocks.flatMap(reasoningItem), ...messageItem(message, false), ...calls, ...results];
  },
  history: { ...plainHistory, asParts: true },
};

/** One text, or parts when there are several. */
function outputItem(result: NonNullable<ToolExchange['result']>): string | JsonObject[] {
  const parts = outputOf(result).map((part) => (isMedia(part) && !isPlainImage(part) ? mediaText(part) : part));
  // The API has no error flag for results, so the text must say it.
  if (isError(result) || (parts.length < 2 && !parts.some(isMedia))) return outputTextWithError(result);
  return parts.flatMap((part) => partOf(part, 'input_text'));
}

function messageItem({ role, blocks }: TurnMessage, mayBeEmpty: boolean): JsonObject[] {
  if (role === 'system') return [{ role, content: joinText(blocks) }];
  const content = blocks.flatMap((block) => partOf(block, role === 'assistant' ? 'output_text' : 'input_text'));
  if (content.length > 0) return [{ role, content }];
  return mayBeEmpty ? [{ role, content: '' }] : [];
}

function partOf(block: TurnBlock, textType: string): JsonObject[] {
  if (block.type === 'text') return [{ type: textType, text: block.text }];
  if (!isMedia(block)) return [];
  const source = sourceOf(block);
  if (source.type === 'unavailable') return [];
  return [{ type: 'input_image', image_url: source.type === 'url' ? source.url : asDataUrl(source) }];
}

/** The API accepts reasoning only in encrypted form, not as plain text. */
function reasoningItem(block: TurnBlock): JsonObject[] {
  if (block.type !== 'thinking') return [];
  const encrypted = textField(block, 'encryptedContent', 'encrypted_content');
  if (encrypted === undefined) return [];
  const id = textField(block, 'id');
  return [
    { type: 'reasoning', ...(id === undefined ? {} : { id }), summary: summaryOf(block), encrypted_content: encrypted },
  ];
}

function summaryOf({ thinking }: ThinkingBlock): JsonObject[] {
  return thinking === '' ? [] : [{ type: 'summary_text', text: thinking }];
}
