// Fits a page of history into an answer for a model: the first messages that fit the budget. A message too long for any
// answer is cut, and says which call reads the rest.
import { cutMessage } from '../../contract/budget/cut-message.js';
import { answerFrameTokens, countThatFit, entryTokens, messageTokens } from '../../contract/budget/message-tokens.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import type { Message } from '../../contract/message.js';

export function fitMessages<Entry extends Message>(messages: Entry[], model: ModelReader | undefined): Entry[] {
  if (model === undefined) return messages;
  const tokens = model.tokensMax - answerFrameTokens;
  const shown = messages.slice(0, countThatFit(messages, tokens, costOf));
  // Cutting only shortens the content; the entry's other fields stay.
  return shown.length === 1 ? shown.map((message) => ({ ...message, ...cutMessage(message, tokens) })) : shown;
}

function costOf(message: Message): number {
  return Math.max(messageTokens(message), entryTokens(message));
}
