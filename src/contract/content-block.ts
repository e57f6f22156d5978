// Message content: a list of typed blocks. A plain string is one text block.
import { z } from 'zod';
import { ContentFault } from './content/fault.js';
import { readContent, type ReadOptions } from './content/read-content.js';

/** Callers send a URL or data. Data is stored as an attachment and returned inline or by reference. */
const source = z.union([
  z.looseObject({ type: z.literal('url'), url: z.string() }),
  z.looseObject({ type: z.literal('base64'), mediaType: z.string(), data: z.string() }),
  z.looseObject({
    type: z.literal('attachment'),
    mediaType: z.string(),
    /** SHA-256 of the bytes, in hex. */
    hash: z.string(),
    bytes: z.number(),
    index: z.number(),
    /** The call that fetches it. */
    fetch: z.string().optional(),
  }),
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

/** A block in results; callers' input is parsed by `content`. */
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
export type ResultPart = z.infer<typeof resultPart>;
export type MediaBlock = Extract<ContentBlock, { type: 'image' | 'audio' | 'video' }>;
export type MediaSource = z.infer<typeof source>;

/** What callers may send; a plain string is one text block. */
export type GivenContent = string | readonly ContentBlock[];

function contentSchema(options: ReadOptions) {
  return z
    .preprocess((given: GivenContent, context) => {
      try {
        return readContent(given, options);
      } catch (error) {
        if (!(error instanceof ContentFault)) throw error;
        const { path, message, isTooLarge } = error;
        context.addIssue({ code: 'custom', path: [...path], message, params: { isTooLarge } });
        return [];
      }
    }, z.array(z.custom<ContentBlock>()))
    .meta({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] });
}

/** Message content from callers: a string or blocks, parsed to a list of blocks. */
export const content = contentSchema({});
/** The same from the hub's answers, which may refer to attachments. */
export const receivedContent = contentSchema({ mayRefer: true });

/** All text blocks, joined by newlines. */
export function textOf(blocks: readonly ContentBlock[]): string {
  return blocks
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('\n');
}

/** True if a reader would see nothing: no blocks, only blank text, or only unshared thinking. */
export function isBlank(blocks: readonly ContentBlock[], shareThinking: boolean): boolean {
  return blocks.every(
    (block) => (block.type === 'text' && block.text.trim() === '') || (block.type === 'thinking' && !shareThinking),
  );
}
