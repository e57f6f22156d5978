// Content blocks by name: each name is a type, a builder, and works with `instanceof` for plain JSON objects too. Each
// block is validated when it is built, as the hub would do.
import { content, type ContentBlock } from '../content-block.js';
import type { BlockKind, BlockOf } from './extract.js';
import { fromMaps, type JsonMap } from './from-maps.js';
import { badMessage, pathOf } from './read-messages.js';

type Builder<Fields, Built> = {
  [Field in keyof Fields]-?: (value: Exclude<Fields[Field], undefined>) => Builder<Fields, Built>;
} & { build(): Built };

function builder<Fields extends object, Built>(
  names: readonly (keyof Fields & string)[],
  finish: (fields: Record<string, unknown>) => Built,
): Builder<Fields, Built> {
  const fields: Record<string, unknown> = {};
  const steps: Record<string, unknown> = { build: () => finish({ ...fields }) };
  for (const name of names) {
    steps[name] = (value: unknown) => {
      fields[name] = value;
      return steps;
    };
  }
  // `steps` has one method per name and `build`, as the type says.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return steps as Builder<Fields, Built>;
}

function checked<Type extends ContentBlock['type']>(type: Type, fields: Record<string, unknown>): BlockOf<Type> {
  const read = content.safeParse([{ type, ...fields }]);
  const [issue] = read.success ? [] : read.error.issues;
  const block = read.data?.[0];
  if (block === undefined || !isOf(block, type)) {
    throw badMessage(pathOf(type, issue?.path.slice(1) ?? []), issue?.message ?? 'cannot be read');
  }
  return block;
}

function isOf<Type extends ContentBlock['type']>(block: ContentBlock, type: Type): block is BlockOf<Type> {
  return block.type === type;
}

function kind<Type extends ContentBlock['type']>(type: Type): BlockKind<Type> {
  return { type, [Symbol.hasInstance]: (value): value is BlockOf<Type> => hasType(value, type) };
}

function hasType(value: unknown, type: string): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === type;
}

export type URLSource = { readonly type: 'url'; readonly url: string };
export const URLSource = {
  [Symbol.hasInstance]: (value: unknown): value is URLSource => hasType(value, 'url'),
  of: (url: string): URLSource => ({ type: 'url', url }),
};

export type Base64Source = { readonly type: 'base64'; readonly mediaType: string; readonly data: string };
export const Base64Source = {
  [Symbol.hasInstance]: (value: unknown): value is Base64Source => hasType(value, 'base64'),
  of: (mediaType: string, data: string): Base64Source => ({ type: 'base64', mediaType, data }),
  builder: () =>
    builder<{ mediaType: string; data: string }, Base64Source>(['mediaType', 'data'], ({ mediaType, data }) => ({
      type: 'base64',
      mediaType: String(mediaType),
      data: String(data),
    })),
};

export type TextBlock = BlockOf<'text'>;
export const TextBlock = {
  ...kind('text'),
  of: (text: string) => checked('text', { text }),
  builder: () => builder<{ text: string }, TextBlock>(['text'], (fields) => checked('text', fields)),
};

function mediaBlock<Type extends 'image' | 'audio' | 'video'>(type: Type) {
  return {
    ...kind(type),
    of: (source: URLSource | Base64Source) => checked(type, { source }),
    builder: () =>
      builder<{ source: URLSource | Base64Source }, BlockOf<Type>>(['source'], (fields) => checked(type, fields)),
  };
}

export type ImageBlock = BlockOf<'image'>;
export const ImageBlock = mediaBlock('image');
export type AudioBlock = BlockOf<'audio'>;
export const AudioBlock = mediaBlock('audio');
export type VideoBlock = BlockOf<'video'>;
export const VideoBlock = mediaBlock('video');

export type ThinkingBlock = BlockOf<'thinking'>;
export const ThinkingBlock = {
  ...kind('thinking'),
  of: (thinking: string, signature?: string) =>
    checked('thinking', { thinking, ...(signature === undefined ? {} : { signature }) }),
  builder: () =>
    builder<{ thinking: string; signature?: string }, ThinkingBlock>(['thinking', 'signature'], (fields) =>
      checked('thinking', fields),
    ),
};

interface ToolUseFields {
  id: string;
  name: string;
  input: JsonMap;
  /** The arguments exactly as the model wrote them. */
  content?: string;
}

export type ToolUseBlock = BlockOf<'tool_use'>;
export const ToolUseBlock = {
  ...kind('tool_use'),
  of: (id: string, name: string, input: JsonMap = {}) => checked('tool_use', { id, name, input: fromMaps(input) }),
  builder: () =>
    builder<ToolUseFields, ToolUseBlock>(['id', 'name', 'input', 'content'], ({ input = {}, ...fields }) =>
      checked('tool_use', { ...fields, input: fromMaps(input) }),
    ),
};

interface ToolResultFields {
  toolUseId: string;
  name?: string;
  output: ToolResultBlock['output'];
  isError?: boolean;
}

export type ToolResultBlock = BlockOf<'tool_result'>;
export const ToolResultBlock = {
  ...kind('tool_result'),
  of: (toolUseId: string, output: ToolResultFields['output']) => checked('tool_result', { toolUseId, output }),
  /** A failed result: marked as failed for providers that support it, as text for the others. */
  error: (toolUseId: string, message: string) =>
    checked('tool_result', { toolUseId, output: [{ type: 'text', text: message }], isError: true }),
  builder: () =>
    builder<ToolResultFields, ToolResultBlock>(['toolUseId', 'name', 'output', 'isError'], (fields) =>
      checked('tool_result', { output: [], ...fields }),
    ),
};
