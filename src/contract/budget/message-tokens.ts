// What a message and a thread's header cost the model that reads them. A client shows its model either the text or the
// structured result, so the dearer of the two counts.
import type { Message } from '../message.js';
import { escapeXml } from '../text/escape-xml.js';
import { renderHeader, renderMessage } from '../text/render-messages.js';
import type { ThreadHeader } from '../thread.js';
import { tokensAtMost } from './tokens.js';

/** Everything in an answer beside its messages and headers: cursor, flags, closing lines, the tags around them. */
export const answerFrameTokens = 250;

/** The header tells the names of those who are mentioned. */
export function messageTokens(message: Message, header?: ThreadHeader): number {
  return Math.max(tokensAtMost(JSON.stringify(message)), tokensAtMost(renderMessage(message, header)));
}

export function headerTokens(header: ThreadHeader): number {
  const opening = `<thread id="${header.threadId}" name="${escapeXml(header.title)}"></thread>`;
  return Math.max(tokensAtMost(JSON.stringify(header)), tokensAtMost(opening + renderHeader(header)));
}

/** How many of them, from the first on, cost no more than `tokens` together. At least one, or nothing would ever be read. */
export function countThatFit<Item>(items: readonly Item[], tokens: number, costOf: (item: Item) => number): number {
  let left = tokens;
  for (const [index, item] of items.entries()) {
    left -= costOf(item);
    if (left < 0) return Math.max(1, index);
  }
  return items.length;
}

/** What an entry of any other list costs, in JSON, which is longer than the line it has in a text. */
export function entryTokens(entry: unknown): number {
  return tokensAtMost(JSON.stringify(entry)) + 1;
}
