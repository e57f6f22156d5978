// Ollama's /api/chat: one text per message, images in a separate base64 field.
import { isMedia, isPlainImage, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { JsonObject, MediaBlock, TurnMessage } from './turn.js';
import { joinText } from './text.js';
import { argumentsObject, outputTextWithError, safeIds, toolNameOf } from './tools.js';

const idForm = { charsMax: 64 };

export const ollama: Provider = {
  system: 'message',
  supports: (block) => isPlainImage(block) && sourceOf(block).type === 'base64',
  formatMessage: (message) => [{ role: message.role, content: joinText(message.blocks), ...imagesOf(message) }],
  formatToolCalls(message, exchanges) {
    const ids = safeIds(exchanges, idForm);
    const text = joinText(message.blocks);
    const calls = exchanges.map(({ call }, index) => ({
      id: ids[index],
      function: { name: toolNameOf(call), arguments: argumentsObject(call) },
    }));
    const results = exchanges.flatMap(({ call, result }, index) => {
      if (result === undefined) return [];
      const name = toolNameOf(call);
      // `tool_name` is the documented field; `name` is what older templates read.
      const about = { tool_call_id: ids[index], name, tool_name: name };
      return [{ role: 'tool', content: outputTextWithError(result, 'lines'), ...about }];
    });
    return [{ role: 'assistant', ...(text === '' ? {} : { content: text }), tool_calls: calls }, ...results];
  },
  history: { ...plainHistory, media: 'after', laterSystem: 'line' },
};

function imagesOf({ role, blocks }: TurnMessage): JsonObject {
  const images = role === 'user' ? blocks.filter(isMedia).flatMap(base64Of) : [];
  return images.length === 0 ? {} : { images };
}

function base64Of(block: MediaBlock): string[] {
  const source = sourceOf(block);
  return source.type === 'base64' ? [source.data] : [];
}
