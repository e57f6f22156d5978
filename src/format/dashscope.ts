// DashScope (Qwen), the native API.
import { asDataUrl, isMedia, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { JsonObject, MediaBlock, Said, SaidBlock } from './said.js';
import { textOfSaid } from './texts.js';
import { argumentsText, outputTextWithError, safeIds, toolNameOf } from './tools.js';

const idForm = { charsMax: 64 };

export const dashscope: Provider = {
  system: 'message',
  takes: (block) => sourceOf(block).type !== 'elsewhere',
  speech: (said) => [{ role: said.role, content: contentOf(said) }],
  exchange(said, answered) {
    const ids = safeIds(answered, idForm);
    const calls = answered.map(({ call }, index) => ({
      id: ids[index],
      type: 'function',
      function: { name: toolNameOf(call), arguments: argumentsText(call) },
    }));
    const results = answered.flatMap(({ call, result }, index) =>
      result === undefined
        ? []
        : [{ role: 'tool', content: outputTextWithError(result), name: toolNameOf(call), tool_call_id: ids[index] }],
    );
    return [{ role: 'assistant', content: textOfSaid(said.blocks), tool_calls: calls }, ...results];
  },
  history: { ...plainHistory, media: 'behind', laterSystem: 'line', nameless: () => 'Unknown' },
};

function contentOf({ role, blocks }: Said): string | JsonObject[] {
  if (role !== 'user' || !blocks.some(isMedia)) return textOfSaid(blocks);
  return blocks.flatMap(partOf);
}

function partOf(block: SaidBlock): JsonObject[] {
  if (block.type === 'text') return [{ text: block.text }];
  if (!isMedia(block)) return [];
  const source = sourceOf(block);
  if (source.type === 'elsewhere') return [];
  return [{ [block.type]: source.type === 'url' ? source.url : asDataUrl(source), ...settingsOf(block) }];
}

/** What one may set for a picture or a video, as it was given. */
const settings = ['min_pixels', 'max_pixels', 'total_pixels', 'fps', 'max_frames'];

function settingsOf(block: MediaBlock): JsonObject {
  return Object.fromEntries(settings.flatMap((name) => (typeof block[name] === 'number' ? [[name, block[name]]] : [])));
}
