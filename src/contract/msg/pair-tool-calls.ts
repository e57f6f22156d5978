// Matches tool results to calls by id. Some models restart their ids each turn, so the id alone is ambiguous: a result
// belongs to the last preceding message with a call of that id, and there to the first unanswered call.
import type { BlockOf, HasContent } from './extract.js';

export interface Located<Block> {
  readonly block: Block;
  /** Index of the message in the list; `index` is that of the block in the message. */
  readonly message: number;
  readonly index: number;
}

export interface ToolPair {
  readonly call: Located<BlockOf<'tool_use'>>;
  readonly result: Located<BlockOf<'tool_result'>> | null;
}

export interface ToolPairs {
  /** Every call in order, with its result, if any. */
  readonly pairs: readonly ToolPair[];
  /** Results without a preceding call, and second results of one call. */
  readonly strayResults: readonly Located<BlockOf<'tool_result'>>[];
}

interface OpenPair {
  readonly call: ToolPair['call'];
  result: ToolPair['result'];
}

export function pairToolCalls(messages: readonly HasContent[]): ToolPairs {
  const pairs: OpenPair[] = [];
  const strayResults: Located<BlockOf<'tool_result'>>[] = [];
  const openById = new Map<string, OpenCalls[]>();
  for (const [message, { content }] of messages.entries()) {
    for (const [index, block] of content.entries()) {
      if (block.type === 'tool_use') {
        const pair: OpenPair = { call: { block, message, index }, result: null };
        pairs.push(pair);
        addOpen(openById, pair);
      } else if (block.type === 'tool_result') {
        const pair = takeOpen(openById.get(block.toolUseId));
        if (pair === undefined) strayResults.push({ block, message, index });
        else pair.result = { block, message, index };
      }
    }
  }
  return { pairs, strayResults };
}

/** Unanswered calls with one id in one message. */
interface OpenCalls {
  readonly message: number;
  readonly pairs: OpenPair[];
  /** Index of the first that is unanswered. */
  next: number;
}

function addOpen(openById: Map<string, OpenCalls[]>, pair: OpenPair): void {
  const { block, message } = pair.call;
  const open = openById.get(block.id) ?? [];
  const last = open.at(-1);
  if (last?.message === message) last.pairs.push(pair);
  else open.push({ message, pairs: [pair], next: 0 });
  openById.set(block.id, open);
}

/** A message may have a thousand calls with one id: none is searched for or moved. */
function takeOpen(open: OpenCalls[] | undefined): OpenPair | undefined {
  const last = open?.at(-1);
  const pair = last?.pairs[last.next];
  if (open === undefined || last === undefined || pair === undefined) return undefined;
  last.next += 1;
  if (last.next === last.pairs.length) open.pop();
  return pair;
}
