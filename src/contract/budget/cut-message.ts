// Truncates a message too long for one answer, and adds the call that reads the rest.
import type { Message } from '../message.js';
import { contentAsText } from '../text/content-as-text.js';
import { isSurelyWithin, messageTokens } from './message-tokens.js';
import { tokensPerCharacterMin } from './tokens.js';

/** A part that costs this much of its budget is long enough. */
const enoughShare = 0.99;

/**
 * As much of the message from `offset` on as `tokens` allow, or a hundredth less; unchanged if all of it fits. The work is in
 * proportion to `tokens`, not to the message: of a page of long messages each is cut in the same turn.
 */
export function cutMessage(message: Message, tokens: number, offset = 0): Message {
  const whole = wholeText(message);
  const mayFit = whole.length * tokensPerCharacterMin <= tokens;
  if (offset === 0 && mayFit && (isSurelyWithin(message, tokens) || messageTokens(message) <= tokens)) return message;
  const from = characterStart(whole, Math.min(offset, whole.length));
  const { payload: _, metadata: __, context: ___, ...frame } = message;
  const partTo = (to: number) => ({ ...frame, ...partOf(whole, { id: message.id, from, to }) });
  // A token is rarely longer than eight characters, which bounds the search.
  const least = Math.min(whole.length, from + ((whole.codePointAt(from) ?? 0) > 0xffff ? 2 : 1));
  const most = Math.min(whole.length, from + tokens * 8);
  const costTo = (to: number) => messageTokens(partTo(to));
  if (costTo(most) <= tokens) return partTo(most);
  return partTo(Math.max(least, characterStart(whole, furthest(costTo, { low: least, high: most, tokens }))));
}

/**
 * Nearly the last place whose cost is within `tokens`. Each guess counts a whole part, so they are few: in turns by the cost of
 * the places around it, which is right for an even text, and by half, which ends with any other.
 */
function furthest(
  costTo: (to: number) => number,
  { low, high, tokens }: { low: number; high: number; tokens: number },
): number {
  const enough = tokens * enoughShare;
  let [last, lastCost] = [low, costTo(low)];
  let [beyond, beyondCost] = [high, costTo(high)];
  for (let guess = 0; beyond - last > 1 && lastCost < enough; guess += 1) {
    const share = guess % 2 === 0 ? ((tokens + enough) / 2 - lastCost) / (beyondCost - lastCost) : 0.5;
    const place = Math.min(beyond - 1, Math.max(last + 1, Math.floor(last + share * (beyond - last))));
    const cost = costTo(place);
    if (cost <= tokens) [last, lastCost] = [place, cost];
    else [beyond, beyondCost] = [place, cost];
  }
  return last;
}

interface Part {
  id: string;
  from: number;
  to: number;
}

function partOf(whole: string, { id, from, to }: Part): Pick<Message, 'content' | 'cut'> {
  const isRest = to >= whole.length;
  const next = isRest ? {} : { next: `get_messages {"messageId":"${id}","offset":${to}}` };
  return {
    content: [{ type: 'text', text: whole.slice(from, to) }],
    cut: { from, to, of: whole.length, ...next },
  };
}

/** All long fields in one text, so that one offset addresses all of it. */
function wholeText({ content, context, payload, metadata }: Message): string {
  return [
    contentAsText(content),
    ...(context === undefined ? [] : [`[context] ${context}`]),
    ...(payload === undefined ? [] : [`[payload] ${JSON.stringify(payload)}`]),
    ...(metadata === undefined ? [] : [`[metadata] ${JSON.stringify(metadata)}`]),
  ].join('\n');
}

/** Never splits a surrogate pair. */
function characterStart(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code < 0xe000 ? index - 1 : index;
}
