// Gemini: contents of parts.
import { mediaTypeByExtension } from '../contract/content/media-types.js';
import { isMedia, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { JsonObject, MediaBlock, TurnMessage, TurnBlock } from './turn.js';
import { textField } from './text.js';
import { argumentsObject, isError, outputText, safeIds, toolNameOf, formatBlocks } from './tools.js';

const idForm = { charsMax: 64 };

export const gemini: Provider = {
  system: 'separate',
  supports: (block) => sourceOf(block).type !== 'unavailable',
  supportsInAssistant: true,
  // The API refuses a content without parts, and a part with an empty text.
  formatMessage: (message) => contentOf(message, message.blocks.flatMap(partOf)),
  formatToolCalls(message, exchanges) {
    const ids = safeIds(exchanges, idForm);
    const withCalls = formatBlocks(message.blocks, ids, {
      call: (call, id) => ({
        functionCall: { id, name: toolNameOf(call), args: argumentsObject(call) },
        ...signatureOf(call),
      }),
      other: partOf,
    });
    // One content must hold as many responses as the content before holds calls.
    const responses = exchanges.flatMap(({ call, result }, index) =>
      result === undefined
        ? []
        : [
            {
              functionResponse: {
                id: ids[index],
                name: toolNameOf(call),
                response: { [isError(result) ? 'error' : 'output']: outputText(result) },
              },
            },
          ],
    );
    return [...contentOf(message, withCalls), ...(responses.length === 0 ? [] : [{ role: 'user', parts: responses }])];
  },
  mergeMessages: joinModelTurns,
  history: { ...plainHistory, laterSystem: 'line', opening: '<history>', beforeMedia: '' },
};

function contentOf({ role }: TurnMessage, parts: JsonObject[]): JsonObject[] {
  return parts.length === 0 ? [] : [{ role: role === 'assistant' ? 'model' : 'user', parts }];
}

function partOf(block: TurnBlock): JsonObject[] {
  if (block.type === 'text') return block.text === '' ? [] : [{ text: block.text, ...signatureOf(block) }];
  return isMedia(block) ? mediaOf(block) : [];
}

function mediaOf(block: MediaBlock): JsonObject[] {
  const source = sourceOf(block);
  if (source.type === 'unavailable') return [];
  if (source.type === 'base64') return [{ inlineData: { data: source.data, mimeType: source.mediaType } }];
  const mimeType = mediaTypeByExtension(source.url);
  return [{ fileData: { fileUri: source.url, ...(mimeType === undefined ? {} : { mimeType }) } }];
}

/** Gemini signs calls and texts, and requires the signature in the same part. */
function signatureOf(block: TurnBlock): JsonObject {
  const signature = textField(block, 'thoughtSignature', 'thought_signature');
  return signature === undefined ? {} : { thoughtSignature: signature };
}

/** A call must follow a user turn, so consecutive model contents are merged. */
function joinModelTurns(contents: JsonObject[]): JsonObject[] {
  const joined: { role: unknown; parts: unknown[] }[] = [];
  for (const { role, parts } of contents) {
    const list: unknown[] = Array.isArray(parts) ? parts : [];
    const last = joined.at(-1);
    if (role === 'model' && last?.role === 'model') last.parts.push(...list);
    else joined.push({ role, parts: [...list] });
  }
  return joined.map((content) => ({ ...content }));
}
