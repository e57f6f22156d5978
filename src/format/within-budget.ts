// Leaves out the oldest turns when there is no room for all. A turn is whole: a call never goes without its result.
import { tokensAtMost } from '../contract/budget/tokens.js';
import { isMedia } from './media.js';
import type { SaidBlock, Turn } from './said.js';
import { outputOf } from './tools.js';

/** Role, name, brackets and commas of one message or block. */
const frameTokens = 12;
/** What providers count for a large picture; a sound or a film may be more. */
const mediumTokens = 1_600;

export interface Kept {
  readonly turns: readonly Turn[];
  /** How many of the messages given are not in them. */
  readonly leftOut: number;
}

/** System text always stays, and so does the last turn: without it there is nothing to answer. */
export function keepWithin(turns: readonly Turn[], tokensMax: number): Kept {
  let left = tokensMax;
  for (const turn of turns) if (turn.said.role === 'system') left -= tokensOf(turn);
  let first = turns.length;
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const turn = turns[index];
    if (turn === undefined) break;
    if (turn.said.role !== 'system') left -= tokensOf(turn);
    if (left < 0 && index < turns.length - 1) break;
    first = index;
  }
  const kept = turns.filter((turn, index) => index >= first || turn.said.role === 'system');
  return { turns: kept, leftOut: messagesIn(turns) - messagesIn(kept) };
}

function messagesIn(turns: readonly Turn[]): number {
  return new Set(turns.flatMap(({ origins }) => origins)).size;
}

function tokensOf({ said, answered }: Turn): number {
  const name = tokensAtMost(said.name ?? '') + tokensAtMost(said.sender ?? '');
  const results = answered.flatMap(({ id, result }) =>
    result === undefined ? [] : [frameTokens + 2 * tokensAtMost(id), ...outputOf(result).map(blockTokens)],
  );
  return [frameTokens + name, ...said.blocks.map(blockTokens), ...results].reduce((sum, tokens) => sum + tokens, 0);
}

function blockTokens(block: SaidBlock): number {
  if (isMedia(block)) return frameTokens + mediumTokens;
  if (block.type === 'text') return frameTokens + tokensAtMost(JSON.stringify(block.text));
  if (block.type === 'thinking') return frameTokens + tokensAtMost(JSON.stringify(block.thinking));
  return frameTokens + tokensAtMost(JSON.stringify(block));
}
