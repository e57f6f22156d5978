// Formats messages for a provider's API: moves results after their calls, drops old turns that exceed the budget,
// distinguishes speakers, then applies the provider's format. Pure: reads no file and fetches no URL.
import {
  formatModes,
  formatProviders,
  formatStyles,
  type Formatted,
  type FormatMode,
  type FormatProvider,
  type FormatStyle,
} from '../contract/format-choice.js';
import { badMessage } from '../contract/msg/read-messages.js';
import { anthropic } from './anthropic.js';
import { arrange } from './arrange.js';
import { dashscope } from './dashscope.js';
import { deepseek } from './deepseek.js';
import { gemini } from './gemini.js';
import { eachInSteps } from './in-steps.js';
import { isMedia, mediaText } from './media.js';
import { readGiven, type FormatMessage } from './message.js';
import { defaultHistoryPrompt, escapeTurn, mergeSpeakers } from './multiagent.js';
import { ollama } from './ollama.js';
import { openaiResponses } from './openai-responses.js';
import { openai } from './openai.js';
import type { Provider } from './provider.js';
import type { TurnMessage, Turn } from './turn.js';
import { collectSpeakers } from './speakers.js';
import { joinText } from './text.js';
import { fitBudget } from './fit-budget.js';
import { requireKnown } from './require-known.js';

export interface FormatOptions {
  provider: FormatProvider;
  mode?: FormatMode | undefined;
  /** How speakers are distinguished in `multiagent`. */
  style?: FormatStyle | undefined;
  /** Text before the first `<history>`. */
  historyPrompt?: string | undefined;
  /** More names that no text may impersonate, such as members without messages. */
  speakers?: readonly string[] | undefined;
  /** Token budget; the oldest turns beyond it are dropped. The estimate errs upwards. */
  tokensMax?: number | undefined;
}

const providers: Readonly<Record<FormatProvider, Provider>> = {
  openai,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  dashscope,
  ollama,
  deepseek,
};

/** A plain string in the list is a text of the user. Throws a HubError for an unknown provider, mode or style, and for what is no message. */
export function formatMessages(messages: readonly (FormatMessage | string)[], options: FormatOptions): Formatted {
  const work = formatInSteps(messages, options);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The same, with a step for each message: who has other work may do it in between. */
export function* formatInSteps(
  messages: readonly (FormatMessage | string)[],
  options: FormatOptions,
): Generator<void, Formatted> {
  requireKnown('provider', options.provider, formatProviders);
  if (options.mode !== undefined) requireKnown('mode', options.mode, formatModes);
  if (options.style !== undefined) requireKnown('style', options.style, formatStyles);
  const provider = providers[options.provider];
  if (!Array.isArray(messages)) throw badMessage('messages', 'must be a list');
  const all = yield* arrange(yield* eachInSteps(messages, readGiven));
  const { turns: kept, leftOut } =
    options.tokensMax === undefined ? { turns: all, leftOut: 0 } : fitBudget(all, options.tokensMax);
  const supported = yield* eachInSteps(kept, (turn) => ({
    ...turn,
    message: replaceUnsupportedMedia(turn.message, provider, options.mode),
  }));
  const turns = options.mode === 'multiagent' ? yield* mergeTurns(supported, provider, options) : supported;
  const isSeparate = ({ message }: Turn) => provider.system === 'separate' && message.role === 'system';
  const system = turns.flatMap((turn) => (isSeparate(turn) ? [joinText(turn.message.blocks)] : [])).join('\n\n');
  const formatted = yield* eachInSteps(turns, (turn) => (isSeparate(turn) ? [] : formatTurn(turn, provider)));
  return {
    messages: provider.mergeMessages?.(formatted.flat()) ?? formatted.flat(),
    ...(system === '' ? {} : { system }),
    ...(leftOut === 0 ? {} : { leftOut }),
  };
}

function formatTurn({ message, exchanges }: Turn, provider: Provider): Formatted['messages'] {
  return exchanges.length === 0 ? provider.formatMessage(message) : provider.formatToolCalls(message, exchanges);
}

/** Replaces unsupported media by a short text. In `multiagent`, messages without tool calls get the user role. */
function replaceUnsupportedMedia(message: TurnMessage, provider: Provider, mode: FormatMode | undefined): TurnMessage {
  if (!message.blocks.some(isMedia)) return message;
  const hasNoCalls = !message.blocks.some(({ type }) => type === 'tool_use');
  const isUser = message.role === 'user' || (mode === 'multiagent' && hasNoCalls && message.role !== 'system');
  const mayHaveMedia = isUser || (message.role === 'assistant' && provider.supportsInAssistant === true);
  const blocks = message.blocks.map((block) =>
    isMedia(block) && !(mayHaveMedia && provider.supports(block)) ? mediaText(block) : block,
  );
  return { ...message, blocks, asParts: true };
}

function* mergeTurns(turns: readonly Turn[], provider: Provider, options: FormatOptions): Generator<void, Turn[]> {
  const { fallbackName } = provider.history;
  const speakers = collectSpeakers(
    turns.map(({ message }) => message),
    { others: options.speakers ?? [], fallbackName },
  );
  const { style = 'brackets', historyPrompt = defaultHistoryPrompt } = options;
  const escaped = yield* eachInSteps(turns, (turn) => escapeTurn(turn, speakers));
  return yield* mergeSpeakers(escaped, { provider, speakers, style, historyPrompt });
}
