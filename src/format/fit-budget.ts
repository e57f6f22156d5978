// Drops the oldest turns beyond a token budget. Turns are kept whole: a call never loses its result.
import { tokensAtMost } from '../contract/budget/tokens.js';
import { isMedia } from './media.js';
import type { TurnBlock, Turn } from './turn.js';
import { outputOf } from './tools.js';

/** Role, name and JSON syntax of one message or block. */
const frameTokens = 12;
/** What providers charge for a large image; audio and video may cost more. */
const mediaTokens = 1_600;

export interface Kept {
  readonly turns: readonly Turn[];
  /** How many input messages were dropped. */
  readonly leftOut: number;
}

/** Always keeps system messages and the last turn, which is the one to answer. */
export function fitBudget(turns: readonly Turn[], tokensMax: number): Kept {
  let left = tokensMax;
  for (const turn of turns) if (turn.message.role === 'system') left -= tokensOf(turn);
  let first = turns.length;
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const turn = turns[index];
    if (turn === undefined) break;
    if (turn.message.role !== 'system') left -= tokensOf(turn);
    if (left < 0 && index < turns.length - 1) break;
    first = index;
  }
  const kept = turns.filter((turn, index) => index >= first || turn.message.role === 'system');
  return { turns: kept, leftOut: messagesIn(turns) - messagesIn(kept) };
}

function messagesIn(turns: readonly Turn[]): number {
  return new Set(turns.flatMap(({ origins }) => origins)).size;
}

function tokensOf({ message, exchanges }: Turn): number {
  const name = tokensAtMost(message.name ?? '') + tokensAtMost(message.sender ?? '');
  const results = exchanges.flatMap(({ id, result }) =>
    result === undefined ? [] : [frameTokens + 2 * tokensAtMost(id), ...outputOf(result).map(blockTokens)],
  );
  return [frameTokens + name, ...message.blocks.map(blockTokens), ...results].reduce((sum, tokens) => sum + tokens, 0);
}

function blockTokens(block: TurnBlock): number {
  if (isMedia(block)) return frameTokens + mediaTokens;
  if (block.type === 'text') return frameTokens + tokensAtMost(JSON.stringify(block.text));
  if (block.type === 'thinking') return frameTokens + tokensAtMost(JSON.stringify(block.thinking));
  return frameTokens + tokensAtMost(JSON.stringify(block));
}
