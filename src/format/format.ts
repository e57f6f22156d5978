// Messages as a provider's request takes them: results put behind their calls, old turns left out if there is no room,
// speakers told apart, then written in the provider's own words. Pure: no file is read and no URL fetched.
import type { Formatted, FormatMode, FormatProvider, FormatStyle } from '../contract/format-choice.js';
import { anthropic } from './anthropic.js';
import { arrange } from './arrange.js';
import { dashscope } from './dashscope.js';
import { deepseek } from './deepseek.js';
import { gemini } from './gemini.js';
import { isMedia, shortText } from './media.js';
import type { FormatMessage } from './message.js';
import { defaultHistoryPrompt, speakTogether } from './multiagent.js';
import { ollama } from './ollama.js';
import { openaiResponses } from './openai-responses.js';
import { openai } from './openai.js';
import type { Provider } from './provider.js';
import type { Said, Turn } from './said.js';
import { gatherSpeakers } from './speakers.js';
import { textOfSaid } from './texts.js';
import { keepWithin } from './within-budget.js';

export interface FormatOptions {
  provider: FormatProvider;
  mode?: FormatMode | undefined;
  /** How speakers are told apart in `multiagent`. */
  style?: FormatStyle | undefined;
  /** Stands before the first `<history>`. */
  historyPrompt?: string | undefined;
  /** Further names that no text may speak under, such as members who have not spoken. */
  speakers?: readonly string[] | undefined;
  /** Leave out the oldest turns beyond so many tokens, by an estimate that errs upwards. */
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

export function formatMessages(messages: readonly FormatMessage[], options: FormatOptions): Formatted {
  const provider = providers[options.provider];
  const all = arrange(messages);
  const { turns: kept, leftOut } =
    options.tokensMax === undefined ? { turns: all, leftOut: 0 } : keepWithin(all, options.tokensMax);
  const sendable = kept.map((turn) => ({ ...turn, said: withSendableMedia(turn.said, provider, options.mode) }));
  const turns = options.mode === 'multiagent' ? together(sendable, provider, options) : sendable;
  const aside = provider.system === 'aside' ? turns.filter(({ said }) => said.role === 'system') : [];
  const system = aside.map(({ said }) => textOfSaid(said.blocks)).join('\n\n');
  const among = turns.filter((turn) => !aside.includes(turn)).flatMap((turn) => written(turn, provider));
  return {
    messages: provider.settle?.(among) ?? among,
    ...(system === '' ? {} : { system }),
    ...(leftOut === 0 ? {} : { leftOut }),
  };
}

function written({ said, answered }: Turn, provider: Provider): Formatted['messages'] {
  return answered.length === 0 ? provider.speech(said) : provider.exchange(said, answered);
}

/** Media that cannot go where they stand become a short text. In a conversation of several, plain speech is a user's. */
function withSendableMedia(said: Said, provider: Provider, mode: FormatMode | undefined): Said {
  if (!said.blocks.some(isMedia)) return said;
  const isSpeech = !said.blocks.some(({ type }) => type === 'tool_use');
  const isUsers = said.role === 'user' || (mode === 'multiagent' && isSpeech && said.role !== 'system');
  const mayCarry = isUsers || (said.role === 'assistant' && provider.takesFromAssistant === true);
  const blocks = said.blocks.map((block) =>
    isMedia(block) && !(mayCarry && provider.takes(block)) ? shortText(block) : block,
  );
  return { ...said, blocks, isInParts: true };
}

function together(turns: readonly Turn[], provider: Provider, options: FormatOptions): Turn[] {
  const { nameless } = provider.history;
  const speakers = gatherSpeakers(
    turns.map(({ said }) => said),
    { others: options.speakers ?? [], nameless },
  );
  const { style = 'brackets', historyPrompt = defaultHistoryPrompt } = options;
  return speakTogether(turns, { provider, speakers, style, historyPrompt });
}
