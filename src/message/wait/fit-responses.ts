// Fits responses into a model's budget: each gets an equal share, and no more are leased than can be shown.
import { cutMessage } from '../../contract/budget/cut-message.js';
import { answerFrameTokens, messageTokens } from '../../contract/budget/message-tokens.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import type { Message } from '../../contract/message.js';

/** Less would show little more of a response than its author. */
const shareTokensMin = 150;
/** Share of the budget for the other fields: the thread, its participants, who is missing. */
const otherFieldsShare = 0.25;
/** A model is shown the first names and the number of the others. */
const namesShown = 20;

function tokensFor({ tokensMax }: ModelReader): number {
  return tokensMax * (1 - otherFieldsShare) - answerFrameTokens;
}

/** How many responses one answer shows; null for programs, which get all of them. */
export function responsesShownTo(model: ModelReader | undefined): number | null {
  return model === undefined ? null : Math.max(1, Math.floor(tokensFor(model) / shareTokensMin));
}

export function fitResponses(responses: Message[], model: ModelReader | undefined): Message[] {
  if (model === undefined) return responses;
  const tokens = tokensFor(model);
  if (allFit(responses, tokens)) return responses;
  return responses.map((response) => cutMessage(response, Math.floor(tokens / responses.length)));
}

/** Ends with the first that does not: the others may be long. */
function allFit(responses: readonly Message[], tokens: number): boolean {
  let left = tokens;
  return responses.every((response) => (left -= messageTokens(response)) >= 0);
}

export function fitNames(names: string[], model: ModelReader | undefined): string[] {
  return model === undefined ? names : names.slice(0, namesShown);
}
