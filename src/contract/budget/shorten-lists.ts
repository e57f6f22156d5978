// The final limit on an answer's size: lists that grow with the team (recipients, participants, receipts) are truncated
// and report how many entries were left out. Paged lists were limited before.
import { answerFrameTokens, countThatFit, entryTokens } from './message-tokens.js';
import { tokensAtMost } from './tokens.js';

/** This many short entries fit into any budget, so most answers need no estimate. */
const alwaysFits = 20;

/** Allocates nothing, because it runs for every answer. */
function hasLongList(output: Record<string, unknown>): boolean {
  for (const name in output) {
    const value = output[name];
    if (Array.isArray(value) && value.length > alwaysFits) return true;
  }
  return false;
}

export function shortenLists(output: Record<string, unknown>, tokensMax: number): Record<string, unknown> {
  // A page with a cursor was already limited; truncating it again would skip entries.
  if ('cursor' in output || !hasLongList(output)) return output;
  const lists = Object.entries(output).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > alwaysFits ? [{ name, entries: value as readonly unknown[] }] : [],
  );
  let over = tokensAtMost(JSON.stringify(output)) - (tokensMax - answerFrameTokens);
  const short: Record<string, unknown> = {};
  const leftOut: Record<string, number> = {};
  const weighed = lists.map((list) => ({ ...list, tokens: entryTokens(list.entries) }));
  for (const { name, entries, tokens } of weighed.toSorted((a, b) => b.tokens - a.tokens)) {
    if (over <= 0) break;
    const kept = entries.slice(0, countThatFit(entries, tokens - over, entryTokens));
    over -= tokens - entryTokens(kept);
    short[name] = kept;
    leftOut[name] = entries.length - kept.length;
  }
  if (Object.keys(short).length === 0) return output;
  return { ...output, ...short, leftOut };
}
