// DashScope (Qwen), the native API.
import { asDataUrl, isMedia, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { JsonObject, MediaBlock, TurnMessage, TurnBlock } from './turn.js';
import { joinText } from './text.js';
import { argumentsText, outputTextWithError, safeIds, toolNameOf } from './tools.js';

const idForm = { charsMax: 64 };

export const dashscope: Provider = {
  system: 'message',
  supports: (block) => sourceOf(block).type !== 'unavailable',
  formatMessage: (message) => [{ role: message.role, content: contentOf(message) }],
  formatToolCalls(message, exchanges) {
    const ids = safeIds(exchanges, idForm);
    const calls = exchanges.map(({ call }, index) => ({
      id: ids[index],
      type: 'function',
      function: { name: toolNameOf(call), arguments: argumentsText(call) },
    }));
    const results = exchanges.flatMap(({ call, result }, index) =>
      result === undefined
        ? []
        : [{ role: 'tool', content: outputTextWithError(result), name: toolNameOf(call), tool_call_id: ids[index] }],
    );
    return [{ role: 'assistant', content: joinText(message.blocks), tool_calls: calls }, ...results];
  },
  history: { ...plainHistory, media: 'after', laterSystem: 'line', fallbackName: () => 'Unknown' },
};

function contentOf({ role, blocks }: TurnMessage): string | JsonObject[] {
  if (role !== 'user' || !blocks.some(isMedia)) return joinText(blocks);
  return blocks.flatMap(partOf);
}

function partOf(block: TurnBlock): JsonObject[] {
  if (block.type === 'text') return [{ text: block.text }];
  if (!isMedia(block)) return [];
  const source = sourceOf(block);
  if (source.type === 'unavailable') return [];
  return [{ [block.type]: source.type === 'url' ? source.url : asDataUrl(source), ...settingsOf(block) }];
}

/** Per-media settings, passed on unchanged. */
const settings = ['min_pixels', 'max_pixels', 'total_pixels', 'fps', 'max_frames'];

function settingsOf(block: MediaBlock): JsonObject {
  return Object.fromEntries(settings.flatMap((name) => (typeof block[name] === 'number' ? [[name, block[name]]] : [])));
}
