// Moves every tool result after its call, as all providers require. What they would refuse becomes text: a result
// without a call, and a call without a result that is not the last message. Nothing is dropped.
import { systemAgentId } from '../contract/ids.js';
import { pairToolCalls, type ToolPair } from '../contract/msg/pair-tool-calls.js';
import { eachInSteps } from './in-steps.js';
import type { ReadMessage } from './message.js';
import type { ToolExchange, TurnMessage, TurnBlock, ToolResultBlock, ToolUseBlock, Turn } from './turn.js';
import { argumentsText, isError, outputOf } from './tools.js';

/** Consecutive blocks of a message without results, and the calls among them. */
interface Piece {
  readonly message: TurnMessage;
  readonly calls: readonly ToolPair[];
  readonly origin: number;
}

export function* arrange(messages: readonly ReadMessage[]): Generator<void, Turn[]> {
  const { pairs, strayResults } = pairToolCalls(messages);
  const strays = new Set(strayResults.map(({ message, index }) => `${message} ${index}`));
  const calls = new Map(pairs.map((pair) => [`${pair.call.message} ${pair.call.index}`, pair]));
  const pieces = yield* eachInSteps(messages, (message, origin): Piece[] =>
    runsOf(message).flatMap(({ blocks, index }): Piece[] => {
      const [first] = blocks;
      if (first?.type !== 'tool_result') {
        const ownBlocks = blocks.filter((block) => block.type !== 'tool_result');
        const ownCalls = blocks.flatMap((_, offset) => calls.get(`${origin} ${index + offset}`) ?? []);
        return [{ message: turnMessage(message, ownBlocks), calls: ownCalls, origin }];
      }
      // Other results are placed after their calls.
      return strays.has(`${origin} ${index}`)
        ? [{ message: turnMessage(message, strayResult(first)), calls: [], origin }]
        : [];
    }),
  );
  const all = pieces.flat();
  return yield* eachInSteps(all, (piece, index) => turnOf(piece, index === all.length - 1));
}

interface Run {
  readonly blocks: ReadMessage['content'];
  /** Index of the first block in the message. */
  readonly index: number;
}

/** Each result is a run of its own; the blocks between results are one run. A message without blocks is one empty run. */
function runsOf({ content }: ReadMessage): Run[] {
  if (content.length === 0) return [{ blocks: [], index: 0 }];
  const starts = content.flatMap(({ type }, index) =>
    index === 0 || type === 'tool_result' || content[index - 1]?.type === 'tool_result' ? [index] : [],
  );
  return starts.map((index, run) => ({ blocks: content.slice(index, starts[run + 1]), index }));
}

function turnMessage(message: ReadMessage, blocks: readonly TurnBlock[]): TurnMessage {
  const name = message.name ?? message.sender;
  return {
    role: blocks.some(({ type }) => type === 'tool_use') ? 'assistant' : roleOf(message),
    ...(name === undefined || name === '' ? {} : { name }),
    ...(message.sender === undefined ? {} : { sender: message.sender }),
    blocks,
    ...(message.metadata?.['_cache_control'] === true ? { isCached: true } : {}),
  };
}

/** The hub's own messages quote agents' titles, so they must not get the authority of a system message. */
function roleOf({ role, sender }: ReadMessage): TurnMessage['role'] {
  if (sender === systemAgentId) return 'user';
  if (role === 'SYSTEM') return 'system';
  return role === 'ASSISTANT' ? 'assistant' : 'user';
}

function strayResult(result: ToolResultBlock): TurnBlock[] {
  const name = typeof result['name'] === 'string' ? `, ${result['name']}` : '';
  const what = isError(result) ? 'error' : 'result';
  return [{ type: 'text', text: `(${what} of tool call ${result.toolUseId}${name})` }, ...outputOf(result)];
}

function unansweredCall(call: ToolUseBlock): TurnBlock {
  return { type: 'text', text: `(tool call ${call.id}, ${call.name}, without a result) ${argumentsText(call)}` };
}

/** Calls without results are allowed only in the last message, and only if none of its calls has one. */
function turnOf({ message, calls, origin }: Piece, isLast: boolean): Turn {
  const origins = [...new Set([origin, ...calls.flatMap(({ result }) => result?.message ?? [])])];
  const isPending = isLast && calls.every(({ result }) => result === null);
  const exchanges = calls.flatMap(({ call, result }): ToolExchange[] => {
    if (result === null) return isPending ? [{ id: call.block.id, call: call.block }] : [];
    return [{ id: call.block.id, call: call.block, result: result.block }];
  });
  let next = 0;
  const blocks = message.blocks.map((block) => {
    if (block.type !== 'tool_use') return block;
    next += 1;
    return isPending || calls[next - 1]?.result !== null ? block : unansweredCall(block);
  });
  return { message: { ...message, blocks }, exchanges, origins };
}
