// Ollama's /api/chat: one text per message, pictures beside it as base64.
import { isMedia, isPlainImage, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { JsonObject, MediaBlock, Said } from './said.js';
import { textOfSaid } from './texts.js';
import { argumentsObject, outputTextWithError, safeIds, toolNameOf } from './tools.js';

const idForm = { charsMax: 64 };

export const ollama: Provider = {
  system: 'message',
  takes: (block) => isPlainImage(block) && sourceOf(block).type === 'base64',
  speech: (said) => [{ role: said.role, content: textOfSaid(said.blocks), ...imagesOf(said) }],
  exchange(said, answered) {
    const ids = safeIds(answered, idForm);
    const text = textOfSaid(said.blocks);
    const calls = answered.map(({ call }, index) => ({
      id: ids[index],
      function: { name: toolNameOf(call), arguments: argumentsObject(call) },
    }));
    const results = answered.flatMap(({ call, result }, index) => {
      if (result === undefined) return [];
      const name = toolNameOf(call);
      // `tool_name` is the documented field; `name` is what older templates read.
      const about = { tool_call_id: ids[index], name, tool_name: name };
      return [{ role: 'tool', content: outputTextWithError(result, 'lines'), ...about }];
    });
    return [{ role: 'assistant', ...(text === '' ? {} : { content: text }), tool_calls: calls }, ...results];
  },
  history: { ...plainHistory, media: 'behind', laterSystem: 'line' },
};

function imagesOf({ role, blocks }: Said): JsonObject {
  const images = role === 'user' ? blocks.filter(isMedia).flatMap(base64Of) : [];
  return images.length === 0 ? {} : { images };
}

function base64Of(block: MediaBlock): string[] {
  const source = sourceOf(block);
  return source.type === 'base64' ? [source.data] : [];
}
