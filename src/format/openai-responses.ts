// OpenAI Responses: a list of input items.
import { asDataUrl, isMedia, isPlainImage, shortText, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { Answered, JsonObject, Said, SaidBlock, ThinkingBlock } from './said.js';
import { textField, textOfSaid } from './texts.js';
import { argumentsText, isError, outputOf, outputTextWithError, safeIds, toolNameOf } from './tools.js';

const idCharsMax = 64;

export const openaiResponses: Provider = {
  system: 'message',
  takes: isPlainImage,
  speech: (said) => [...said.blocks.flatMap(reasoningItem), ...messageItem(said, true)],
  exchange(said, answered) {
    const ids = safeIds(answered, { charsMax: idCharsMax });
    const calls = answered.map(({ call }, index) => ({
      type: 'function_call',
      call_id: ids[index],
      name: toolNameOf(call),
      arguments: argumentsText(call),
    }));
    const results = answered.flatMap(({ result }, index) =>
      result === undefined ? [] : [{ type: 'function_call_output', call_id: ids[index], output: outputItem(result) }],
    );
    return [...said.blocks.flatMap(reasoningItem), ...messageItem(said, false), ...calls, ...results];
  },
  history: { ...plainHistory, isInParts: true },
};

/** An output is one text, or parts when there are several. */
function outputItem(result: NonNullable<Answered['result']>): string | JsonObject[] {
  const parts = outputOf(result).map((part) => (isMedia(part) && !isPlainImage(part) ? shortText(part) : part));
  // A failed result has no mark of its own: its text has to say it.
  if (isError(result) || (parts.length < 2 && !parts.some(isMedia))) return outputTextWithError(result);
  return parts.flatMap((part) => partOf(part, 'input_text'));
}

function messageItem({ role, blocks }: Said, mayBeEmpty: boolean): JsonObject[] {
  if (role === 'system') return [{ role, content: textOfSaid(blocks) }];
  const content = blocks.flatMap((block) => partOf(block, role === 'assistant' ? 'output_text' : 'input_text'));
  if (content.length > 0) return [{ role, content }];
  return mayBeEmpty ? [{ role, content: '' }] : [];
}

function partOf(block: SaidBlock, textType: string): JsonObject[] {
  if (block.type === 'text') return [{ type: textType, text: block.text }];
  if (!isMedia(block)) return [];
  const source = sourceOf(block);
  if (source.type === 'elsewhere') return [];
  return [{ type: 'input_image', image_url: source.type === 'url' ? source.url : asDataUrl(source) }];
}

/** Reasoning goes back only as the sealed item it came as; its plain text is not taken. */
function reasoningItem(block: SaidBlock): JsonObject[] {
  if (block.type !== 'thinking') return [];
  const sealed = textField(block, 'encryptedContent', 'encrypted_content');
  if (sealed === undefined) return [];
  const id = textField(block, 'id');
  return [
    { type: 'reasoning', ...(id === undefined ? {} : { id }), summary: summaryOf(block), encrypted_content: sealed },
  ];
}

function summaryOf({ thinking }: ThinkingBlock): JsonObject[] {
  return thinking === '' ? [] : [{ type: 'summary_text', text: thinking }];
}
