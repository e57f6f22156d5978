// Token cost of a message and of a thread header. A client shows its model either the text or the structured result, so
// the larger of the two counts.
import type { Message } from '../message.js';
import { escapeXml } from '../text/escape-xml.js';
import { renderHeader, renderMessage } from '../text/render-messages.js';
import type { ThreadHeader } from '../thread.js';
import { tokensAtMost } from './tokens.js';

/** Everything else in an answer: cursor, flags, closing lines, enclosing tags. */
export const answerFrameTokens = 250;

/** `header` has the names of mentioned agents. */
export function messageTokens(message: Message, header?: ThreadHeader): number {
  return Math.max(tokensAtMost(JSON.stringify(message)), tokensAtMost(renderMessage(message, header)));
}

export function headerTokens(header: ThreadHeader): number {
  const opening = `<thread id="${header.threadId}" name="${escapeXml(header.title)}"></thread>`;
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
