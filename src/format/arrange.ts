// Puts every tool result behind the call it answers, as all providers demand. What they would refuse becomes words: a
// result without a call, and a call that stayed without a result though the talk went on. Nothing is dropped.
import { systemAgentId } from '../contract/ids.js';
import type { Role } from '../contract/message.js';
import { pairToolCalls, type ToolPair } from '../contract/msg/pair-tool-calls.js';
import type { FormatMessage } from './message.js';
import type { Answered, Said, SaidBlock, ToolResultBlock, ToolUseBlock, Turn } from './said.js';
import { argumentsText, isError, outputOf } from './tools.js';

/** A run of a message's blocks between results, and the calls among them. */
interface Piece {
  readonly said: Said;
  readonly calls: readonly ToolPair[];
  readonly origin: number;
}

export function arrange(messages: readonly FormatMessage[]): Turn[] {
  const { pairs, strayResults } = pairToolCalls(messages);
  const strays = new Set(strayResults.map(({ message, index }) => `${message} ${index}`));
  const calls = new Map(pairs.map((pair) => [`${pair.call.message} ${pair.call.index}`, pair]));
  const pieces = messages.flatMap((message, origin): Piece[] =>
    runsOf(message).flatMap(({ blocks, index }): Piece[] => {
      const [first] = blocks;
      if (first?.type !== 'tool_result') {
        const said = blocks.filter((block) => block.type !== 'tool_result');
        const asked = blocks.flatMap((_, place) => calls.get(`${origin} ${index + place}`) ?? []);
        return [{ said: saidOf(message, said), calls: asked, origin }];
      }
      // The others stand behind their calls.
      return strays.has(`${origin} ${index}`) ? [{ said: saidOf(message, strayResult(first)), calls: [], origin }] : [];
    }),
  );
  return pieces.map((piece, index) => turnOf(piece, index === pieces.length - 1));
}

interface Run {
  readonly blocks: FormatMessage['content'];
  /** Of the first of them, in the message. */
  readonly index: number;
}

/** Each result alone, and what is between them together. A message without blocks is one empty run: nothing was said. */
function runsOf({ content }: FormatMessage): Run[] {
  if (content.length === 0) return [{ blocks: [], index: 0 }];
  const starts = content.flatMap(({ type }, index) =>
    index === 0 || type === 'tool_result' || content[index - 1]?.type === 'tool_result' ? [index] : [],
  );
  return starts.map((index, place) => ({ blocks: content.slice(index, starts[place + 1]), index }));
}

function saidOf(message: FormatMessage, blocks: readonly SaidBlock[]): Said {
  const name = message.name ?? message.sender;
  return {
    role: blocks.some(({ type }) => type === 'tool_use') ? 'assistant' : roleOf(message),
    ...(name === undefined || name === '' ? {} : { name }),
    ...(message.sender === undefined ? {} : { sender: message.sender }),
    blocks,
    ...(message.metadata?.['_cache_control'] === true ? { isCached: true } : {}),
  };
}

/** What the hub says quotes titles that agents wrote, so it never speaks with a system's authority. */
function roleOf({ role, sender, content }: FormatMessage): Said['role'] {
  const isAllResults = content.length > 0 && content.every(({ type }) => type === 'tool_result');
  const known: Role = role ?? (isAllResults ? 'TOOL' : 'ASSISTANT');
  if (sender === systemAgentId) return 'user';
  if (known === 'SYSTEM') return 'system';
  return known === 'ASSISTANT' ? 'assistant' : 'user';
}

function strayResult(result: ToolResultBlock): SaidBlock[] {
  const name = typeof result['name'] === 'string' ? `, ${result['name']}` : '';
  const what = isError(result) ? 'error' : 'result';
  return [{ type: 'text', text: `(${what} of tool call ${result.toolUseId}${name})` }, ...outputOf(result)];
}

function unansweredCall(call: ToolUseBlock): SaidBlock {
  return { type: 'text', text: `(tool call ${call.id}, ${call.name}, without a result) ${argumentsText(call)}` };
}

/** A last call may wait for its result; one that waits while others were answered, or the talk went on, is refused. */
function turnOf({ said, calls, origin }: Piece, isLast: boolean): Turn {
  const origins = [...new Set([origin, ...calls.flatMap(({ result }) => result?.message ?? [])])];
  const isPending = isLast && calls.every(({ result }) => result === null);
  const answered = calls.flatMap(({ call, result }): Answered[] => {
    if (result === null) return isPending ? [{ id: call.block.id, call: call.block }] : [];
    return [{ id: call.block.id, call: call.block, result: result.block }];
  });
  let next = 0;
  const blocks = said.blocks.map((block) => {
    if (block.type !== 'tool_use') return block;
    next += 1;
    return isPending || calls[next - 1]?.result !== null ? block : unansweredCall(block);
  });
  return { said: { ...said, blocks }, answered, origins };
}
