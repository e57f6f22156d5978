// Matches tool results to calls by sender and id: another agent's result is not the result of a call. Some models restart
// their ids each turn, so the id alone is ambiguous: a result belongs to the last preceding message of its sender with a call of
// that id, and there to the first unanswered call.
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
  /** Results without a preceding call of their sender, and second results of one call. */
  readonly strayResults: readonly Located<BlockOf<'tool_result'>>[];
}

interface OpenPair {
  readonly call: ToolPair['call'];
  result: ToolPair['result'];
}

/** `sender`: absent in messages that do not come from the hub; then all are of one conversation with one model. */
export function pairToolCalls(messages: readonly (HasContent & { readonly sender?: string | undefined })[]): ToolPairs {
  const pairs: OpenPair[] = [];
  const strayResults: Located<BlockOf<'tool_result'>>[] = [];
  const openByKey = new Map<string, OpenCalls[]>();
  for (const [message, { sender = '', content }] of messages.entries()) {
    for (const [index, block] of content.entries()) {
      if (block.type === 'tool_use') {
        const pair: OpenPair = { call: { block, message, index }, result: null };
        pairs.push(pair);
        addOpen(openByKey, keyOf(sender, block.id), pair);
      } else if (block.type === 'tool_result') {
        const pair = takeOpen(openByKey.get(keyOf(sender, block.toolUseId)));
        if (pair === undefined) strayResults.push({ block, message, index });
        else pair.result = { block, message, index };
      }
    }
  }
  return { pairs, strayResults };
}

/** No id of an agent has a space. */
function keyOf(sender: string, id: string): string {
  return `${sender} ${id}`;
}

/** Unanswered calls with one id in one message. */
interface OpenCalls {
  readonly message: number;
  readonly pairs: OpenPair[];
  /** Index of the first that is unanswered. */
  next: number;
}

function addOpen(openByKey: Map<string, OpenCalls[]>, key: string, pair: OpenPair): void {
  const { message } = pair.call;
  const open = openByKey.get(key) ?? [];
  const last = open.at(-1);
  if (last?.message === message) last.pairs.push(pair);
  else open.push({ message, pairs: [pair], next: 0 });
  openByKey.set(key, open);
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
