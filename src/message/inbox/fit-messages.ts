// How much of a page of history one answer may hold when a model reads it: the first messages that fit. A message too
// long for any answer is cut; the call that reads on is in it.
import { cutMessage } from '../../contract/budget/cut-message.js';
import { answerFrameTokens, countThatFit, entryTokens, messageTokens } from '../../contract/budget/message-tokens.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import type { Message } from '../../contract/message.js';

export function fitMessages<Entry extends Message>(messages: Entry[], model: ModelReader | undefined): Entry[] {
  if (model === undefined) return messages;
  const tokens = model.tokensMax - answerFrameTokens;
  const shown = messages.slice(0, countThatFit(messages, tokens, costOf));
  // What cutting leaves of an entry is the entry with a shorter content.
  return shown.length === 1 ? shown.map((message) => ({ ...message, ...cutMessage(message, tokens) })) : shown;
}

function costOf(message: Message): number {
  return Math.max(messageTokens(message), entryTokens(message));
}
