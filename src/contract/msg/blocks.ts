// Builders and factories for content blocks. Each block is validated when it is built, as the hub would do.
import { content, type ContentBlock } from '../content-block.js';
import type { BlockOf } from './extract.js';
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

export type UrlSource = { readonly type: 'url'; readonly url: string };
export type Base64Data = { readonly type: 'base64'; readonly mediaType: string; readonly data: string };
export type BlockSource = UrlSource | Base64Data;

export const URLSource = {
  of: (url: string): UrlSource => ({ type: 'url', url }),
};

export const Base64Source = {
  of: (mediaType: string, data: string): Base64Data => ({ type: 'base64', mediaType, data }),
  builder: () =>
    builder<{ mediaType: string; data: string }, Base64Data>(['mediaType', 'data'], ({ mediaType, data }) => ({
      type: 'base64',
      mediaType: String(mediaType),
      data: String(data),
    })),
};

export const TextBlock = {
  of: (text: string) => checked('text', { text }),
  builder: () => builder<{ text: string }, BlockOf<'text'>>(['text'], (fields) => checked('text', fields)),
};

function mediaBlock<Type extends 'image' | 'audio' | 'video'>(type: Type) {
  return {
    of: (source: BlockSource) => checked(type, { source }),
    builder: () => builder<{ source: BlockSource }, BlockOf<Type>>(['source'], (fields) => checked(type, fields)),
  };
}

export const ImageBlock = mediaBlock('image');
export const AudioBlock = mediaBlock('audio');
export const VideoBlock = mediaBlock('video');

export const ThinkingBlock = {
  of: (thinking: string, signature?: string) =>
    checked('thinking', { thinking, ...(signature === undefined ? {} : { signature }) }),
  builder: () =>
    builder<{ thinking: string; signature?: string }, BlockOf<'thinking'>>(['thinking', 'signature'], (fields) =>
      checked('thinking', fields),
    ),
};

interface ToolUseFields {
  id: string;
  name: string;
  input: Record<string, unknown>;
  /** The arguments exactly as the model wrote them. */
  content?: string;
}

export const ToolUseBlock = {
  of: (id: string, name: string, input: Record<string, unknown> = {}) => checked('tool_use', { id, name, input }),
  builder: () =>
    builder<ToolUseFields, BlockOf<'tool_use'>>(['id', 'name', 'input', 'content'], (fields) =>
      checked('tool_use', { input: {}, ...fields }),
    ),
};

interface ToolResultFields {
  toolUseId: string;
  name?: string;
  output: BlockOf<'tool_result'>['output'];
  isError?: boolean;
}

export const ToolResult = {
  of: (toolUseId: string, output: ToolResultFields['output']) => checked('tool_result', { toolUseId, output }),
  /** A failed result: marked as failed for providers that support it, as text for the others. */
  error: (toolUseId: string, message: string) =>
    checked('tool_result', { toolUseId, output: [{ type: 'text', text: message }], isError: true }),
  builder: () =>
    builder<ToolResultFields, BlockOf<'tool_result'>>(['toolUseId', 'name', 'output', 'isError'], (fields) =>
      checked('tool_result', { output: [], ...fields }),
    ),
};
