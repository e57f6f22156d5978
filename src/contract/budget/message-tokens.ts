// Token cost of a message and of a thread header. A client shows its model either the text or the structured result, so
// the larger of the two counts.
import type { Message } from '../message.js';
import { inAttribute } from '../text/escape-xml.js';
import { renderHeader, renderMessage } from '../text/render-messages.js';
import type { ThreadHeader } from '../thread.js';
import { tokensAtMost } from './tokens.js';

/** Everything else in an answer: cursor, flags, closing lines, enclosing tags. */
export const answerFrameTokens = 250;
/** Upper bound for the frame of a message plus the header of a thread. */
export const frameTokensMax = 2_500;
/** No character of a message costs more, however it is escaped. */
export const tokensPerCharacterMax = 3;

/** `header` has the names of mentioned agents. */
export function messageTokens(message: Message, header?: ThreadHeader): number {
  return Math.max(tokensAtMost(JSON.stringify(message)), tokensAtMost(renderMessage(message, header)));
}

/** Needs no rendering, so most messages are not counted at all. */
export function isSurelyWithin(message: Message, tokens: number): boolean {
  return frameTokensMax + tokensPerCharacterMax * JSON.stringify(message).length <= tokens;
}

export function headerTokens(header: ThreadHeader): number {
  const opening = `<thread id="${header.threadId}" name="${inAttribute(header.title)}"></thread>`;
  return Math.max(tokensAtMost(JSON.stringify(header)), tokensAtMost(opening + renderHeader(header)));
}

/** How many leading items fit into `tokens`. At least one, or nothing would ever be read. */
export function countThatFit<Item>(items: readonly Item[], tokens: number, costOf: (item: Item) => number): number {
  let left = tokens;
  for (const [index, item] of items.entries()) {
    left -= costOf(item);
    if (left < 0) return Math.max(1, index);
  }
  return items.length;
}

/** Cost of an entry of any other list, as JSON, which is longer than its line of text. */
export function entryTokens(entry: unknown): number {
  return tokensAtMost(JSON.stringify(entry)) + 1;
}
