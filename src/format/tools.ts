// Tool calls and results in words: arguments, names, ids, and the text of a result.
import { isMedia, returnedText } from './media.js';
import type { Answered, JsonObject, MediaBlock, SaidBlock, TextBlock, ToolResultBlock, ToolUseBlock } from './said.js';

/** The raw arguments of the model win over the parsed ones when they are a JSON object. */
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

/** What a tool returned, as texts and media; anything else that is nested in it as its JSON. */
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

/** A result for providers that take one text; several parts become a list. */
export function outputText(result: ToolResultBlock, joined: 'list' | 'lines' = 'list'): string {
  const texts = outputOf(result).map((part) => (part.type === 'text' ? part.text : returnedText(part)));
  if (texts.length < 2) return texts[0] ?? '';
  return texts.map((text) => (joined === 'list' ? `- ${text}` : text)).join('\n');
}

/** Where the API knows no failed result, the text has to say it. */
export function outputTextWithError(result: ToolResultBlock, joined: 'list' | 'lines' = 'list'): string {
  const text = outputText(result, joined);
  return isError(result) && !/^error\b/i.test(text) ? `Error: ${text}` : text;
}

/** The name of the tool, which a result need not repeat. */
export function toolNameOf(call: ToolUseBlock): string {
  return functionName(call.name);
}

/** `[A-Za-z0-9_-]{1,64}`: what OpenAI, Anthropic and Gemini all take for the name of a function. */
function functionName(name: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return safe === '' ? 'unnamed' : safe;
}

export interface IdForm {
  readonly charsMax: number;
  /** Characters that may not be in an id. */
  readonly forbidden?: RegExp;
}

/** Ids of one message's calls as a provider takes them: in its form, and no two alike. */
export function safeIds(answered: readonly Answered[], { charsMax, forbidden }: IdForm): string[] {
  const taken = new Set<string>();
  return answered.map(({ id }) => {
    const shaped = (forbidden === undefined ? id : id.replaceAll(forbidden, '_')).slice(0, charsMax) || 'call';
    let safe = shaped;
    for (let count = 2; taken.has(safe); count += 1) {
      const ending = `_${count}`;
      safe = shaped.slice(0, charsMax - ending.length) + ending;
    }
    taken.add(safe);
    return safe;
  });
}

/** Writes blocks in order, each call under its id: the calls among them are those that have ids, in the same order. */
export function writeWithCalls(
  blocks: readonly SaidBlock[],
  ids: readonly string[],
  write: {
    call: (call: ToolUseBlock, id: string | undefined) => JsonObject;
    other: (block: SaidBlock) => JsonObject[];
  },
): JsonObject[] {
  let next = 0;
  return blocks.flatMap((block) => {
    if (block.type !== 'tool_use') return write.other(block);
    next += 1;
    return [write.call(block, ids[next - 1])];
  });
}
