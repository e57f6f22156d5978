// Parts of tool calls and results: arguments, names, ids, and the text of a result.
import { isMedia, returnedMediaText } from './media.js';
import type {
  ToolExchange,
  JsonObject,
  MediaBlock,
  TurnBlock,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from './turn.js';

/** The model's raw arguments take precedence over the parsed ones if they are a JSON object. */
export function argumentsText(call: ToolUseBlock): string {
  const raw = call['content'];
  return typeof raw === 'string' && objectIn(raw) !== undefined ? raw : JSON.stringify(call.input);
}

export function argumentsObject(call: ToolUseBlock): JsonObject {
  const raw = call['content'];
  return (typeof raw === 'string' ? objectIn(raw) : undefined) ?? call.input;
}

function objectIn(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

export function isError(result: ToolResultBlock): boolean {
  return result['isError'] === true;
}

/** A tool's output as texts and media; other parts become JSON text. */
export function outputOf({ output }: ToolResultBlock): (TextBlock | MediaBlock)[] {
  if (typeof output === 'string') return [{ type: 'text', text: output }];
  const parts: readonly { readonly type: string }[] = output;
  return parts.map((part) =>
    isMedia(part) ? part : isText(part) ? part : { type: 'text' as const, text: JSON.stringify(part) },
  );
}

function isText(part: { readonly type: string }): part is TextBlock {
  return part.type === 'text';
}

/** For providers that accept one text; several parts become a list. */
export function outputText(result: ToolResultBlock, joined: 'list' | 'lines' = 'list'): string {
  const texts = outputOf(result).map((part) => (part.type === 'text' ? part.text : returnedMediaText(part)));
  if (texts.length < 2) return texts[0] ?? '';
  return texts.map((text) => (joined === 'list' ? `- ${text}` : text)).join('\n');
}

/** For APIs without an error flag, the text says that the call failed. */
export function outputTextWithError(result: ToolResultBlock, joined: 'list' | 'lines' = 'list'): string {
  const text = outputText(result, joined);
  return isError(result) && !/^error\b/i.test(text) ? `Error: ${text}` : text;
}

/** OpenAI, Anthropic and Gemini all accept `[A-Za-z0-9_-]{1,64}` as a function name. */
export function toolNameOf({ name }: ToolUseBlock): string {
  const safe = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return safe === '' ? 'unnamed' : safe;
}

export interface IdForm {
  readonly charsMax: number;
  /** Characters not allowed in an id. */
  readonly forbidden?: RegExp;
}

/** Ids of one message's calls, valid for the provider and unique. */
export function safeIds(exchanges: readonly ToolExchange[], { charsMax, forbidden }: IdForm): string[] {
  const taken = new Set<string>();
  // A thousand calls may have one id: counting goes on where it ended.
  const counts = new Map<string, number>();
  return exchanges.map(({ id }) => {
    const shaped = (forbidden === undefined ? id : id.replaceAll(forbidden, '_')).slice(0, charsMax) || 'call';
    let safe = shaped;
    let count = counts.get(shaped) ?? 1;
    while (taken.has(safe)) {
      count += 1;
      const suffix = `_${count}`;
      safe = shaped.slice(0, charsMax - suffix.length) + suffix;
    }
    counts.set(shaped, count);
    taken.add(safe);
    return safe;
  });
}

/** Formats blocks in order. `ids` are the ids of the calls among them, in the same order. */
export function formatBlocks(
  blocks: readonly TurnBlock[],
  ids: readonly string[],
  format: {
    call: (call: ToolUseBlock, id: string | undefined) => JsonObject;
    other: (block: TurnBlock) => JsonObject[];
  },
): JsonObject[] {
  let next = 0;
  return blocks.flatMap((block) => {
    if (block.type !== 'tool_use') return format.other(block);
    next += 1;
    return [format.call(block, ids[next - 1])];
  });
}
