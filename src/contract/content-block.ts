// What a message says: a list of typed blocks. A plain string is one text block.
import { z } from 'zod';
import { limits } from './limits.js';

const source = z.union([
  z.object({ type: z.literal('url'), url: z.string().min(1) }),
  z.object({ type: z.literal('base64'), mediaType: z.string().min(1), data: z.base64() }),
]);

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const imageBlock = z.looseObject({ type: z.literal('image'), source });
const audioBlock = z.looseObject({ type: z.literal('audio'), source });
const videoBlock = z.looseObject({ type: z.literal('video'), source });
const thinkingBlock = z.looseObject({ type: z.literal('thinking'), thinking: z.string() });
const toolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const resultPart = z.discriminatedUnion('type', [textBlock, imageBlock, audioBlock, videoBlock]);
const toolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  toolUseId: z.string(),
  output: z.union([z.string(), z.array(resultPart)]),
});

export const contentBlockTypes = ['text', 'image', 'audio', 'video', 'thinking', 'tool_use', 'tool_result'] as const;

export const contentBlock = z.discriminatedUnion('type', [
  textBlock,
  imageBlock,
  audioBlock,
  videoBlock,
  thinkingBlock,
  toolUseBlock,
  toolResultBlock,
]);

export type ContentBlock = z.infer<typeof contentBlock>;

/** The one place where the spellings other frameworks use (snake_case, `id` on a tool result) become ours. */
function respell(block: unknown): unknown {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) return block;
  const given: Record<string, unknown> = { ...block };
  rename(given, 'media_type', 'mediaType');
  if (given['type'] === 'tool_result') {
    rename(given, 'tool_use_id', 'toolUseId');
    rename(given, 'id', 'toolUseId');
    rename(given, 'is_error', 'isError');
    if (Array.isArray(given['output'])) given['output'] = given['output'].map(respell);
  }
  if ('source' in given) given['source'] = respell(given['source']);
  return given;
}

function rename(fields: Record<string, unknown>, from: string, to: string): void {
  if (!(from in fields) || to in fields) return;
  fields[to] = fields[from];
  delete fields[from];
}

/** Message content as callers give it: a string or blocks. Always a list of blocks afterwards. */
export const content = z
  .preprocess(
    (given) => (typeof given === 'string' ? [{ type: 'text', text: given }] : given),
    z
      .array(z.preprocess(respell, contentBlock), 'must be a string or a list of content blocks')
      .refine((blocks) => blocks.length <= limits.contentBlocks, 'has too many blocks'),
  )
  .meta({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] });

/** All text blocks, joined by newlines. */
export function textOf(blocks: readonly ContentBlock[]): string {
  return blocks
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('\n');
}

/** True when nothing would reach a reader: no block, only blank text, or only thoughts that are not shared. */
export function isBlank(blocks: readonly ContentBlock[], shareThinking: boolean): boolean {
  return blocks.every(
    (block) => (block.type === 'text' && block.text.trim() === '') || (block.type === 'thinking' && !shareThinking),
  );
}
