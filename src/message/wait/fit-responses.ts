// Responses within what their reader's model may read at once: each gets an equal share, and no more are taken than can be shown.
import { cutMessage } from '../../contract/budget/cut-message.js';
import { answerFrameTokens, messageTokens } from '../../contract/budget/message-tokens.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import type { Message } from '../../contract/message.js';

/** Less than this would show of a response little more than who wrote it. */
const shareTokensMin = 150;
/** Of the budget, for what stands beside the responses: the thread, its participants, who is missing. */
const besideShare = 0.25;
/** To a model a crowd is its first names and a number. */
const namesShown = 20;

function tokensFor({ tokensMax }: ModelReader): number {
  return tokensMax * (1 - besideShare) - answerFrameTokens;
}

/** How many responses one answer shows; null for a program, which gets them all. */
export function responsesShownTo(model: ModelReader | undefined): number | null {
  return model === undefined ? null : Math.max(1, Math.floor(tokensFor(model) / shareTokensMin));
}

export function fitResponses(responses: Message[], model: ModelReader | undefined): Message[] {
  if (model === undefined) return responses;
  const tokens = tokensFor(model);
  const needed = responses.reduce((sum, response) => sum + messageTokens(response), 0);
  if (needed <= tokens) return responses;
  return responses.map((response) => cutMessage(response, Math.floor(tokens / responses.length)));
}

export function fitNames(names: string[], model: ModelReader | undefined): string[] {
  return model === undefined ? names : names.slice(0, namesShown);
}
