// The last guard of an answer's size: lists that grow with the team (recipients, participants, receipts) end early and
// say how many they left out. Lists that can be paged through have done so before and are not long any more.
import { answerFrameTokens, countThatFit, entryTokens } from './message-tokens.js';
import { tokensAtMost } from './tokens.js';

/** So many entries of a few words each are within any budget: most answers need no weighing. */
const entriesNeverCut = 20;

/** Without an allocation: asked of every answer. */
function hasLongList(output: Record<string, unknown>): boolean {
  for (const name in output) {
    const value = output[name];
    if (Array.isArray(value) && value.length > entriesNeverCut) return true;
  }
  return false;
}

export function shortenLists(output: Record<string, unknown>, tokensMax: number): Record<string, unknown> {
  // What has a cursor has been fitted page by page; cutting it again would lose what the cursor leads past.
  if ('cursor' in output || !hasLongList(output)) return output;
  const lists = Object.entries(output).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > entriesNeverCut ? [{ name, entries: value as readonly unknown[] }] : [],
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
