// Gemini: contents of parts.
import { isMedia, mediaTypeOfUrl, sourceOf } from './media.js';
import { plainHistory, type Provider } from './provider.js';
import type { JsonObject, MediaBlock, Said, SaidBlock } from './said.js';
import { textField } from './texts.js';
import { argumentsObject, isError, outputText, safeIds, toolNameOf, writeWithCalls } from './tools.js';

const idForm = { charsMax: 64 };

export const gemini: Provider = {
  system: 'aside',
  takes: (block) => sourceOf(block).type !== 'elsewhere',
  takesFromAssistant: true,
  // A content without parts, and a part with an empty text, are refused.
  speech: (said) => contentOf(said, said.blocks.flatMap(partOf)),
  exchange(said, answered) {
    const ids = safeIds(answered, idForm);
    const asked = writeWithCalls(said.blocks, ids, {
      call: (call, id) => ({
        functionCall: { id, name: toolNameOf(call), args: argumentsObject(call) },
        ...signatureOf(call),
      }),
      other: partOf,
    });
    // As many responses in one content as there were calls in the one before.
    const responses = answered.flatMap(({ call, result }, index) =>
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
    return [...contentOf(said, asked), ...(responses.length === 0 ? [] : [{ role: 'user', parts: responses }])];
  },
  settle: joinModelTurns,
  history: { ...plainHistory, laterSystem: 'line', opening: '<history>', beforeMedium: '' },
};

function contentOf({ role }: Said, parts: JsonObject[]): JsonObject[] {
  return parts.length === 0 ? [] : [{ role: role === 'assistant' ? 'model' : 'user', parts }];
}

function partOf(block: SaidBlock): JsonObject[] {
  if (block.type === 'text') return block.text === '' ? [] : [{ text: block.text, ...signatureOf(block) }];
  return isMedia(block) ? mediumOf(block) : [];
}

function mediumOf(block: MediaBlock): JsonObject[] {
  const source = sourceOf(block);
  if (source.type === 'elsewhere') return [];
  if (source.type === 'base64') return [{ inlineData: { data: source.data, mimeType: source.mediaType } }];
  const mimeType = mediaTypeOfUrl(source.url);
  return [{ fileData: { fileUri: source.url, ...(mimeType === undefined ? {} : { mimeType }) } }];
}

/** Gemini signs calls and texts, and wants the signature back where it was. */
function signatureOf(block: SaidBlock): JsonObject {
  const signature = textField(block, 'thoughtSignature', 'thought_signature');
  return signature === undefined ? {} : { thoughtSignature: signature };
}

/** A call must follow a user's turn: what the model said just before is part of the same turn. */
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
