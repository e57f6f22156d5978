// DeepSeek: OpenAI's messages with text alone, and the thoughts of turns that called tools, which it demands back.
import { callMessages } from './openai.js';
import { plainHistory, type Provider } from './provider.js';
import type { JsonObject, Said } from './said.js';
import { participantName, textOfSaid, thoughtsOf } from './texts.js';

export const deepseek: Provider = {
  system: 'message',
  takes: () => false,
  speech: (said) => {
    const thoughts = said.role === 'assistant' ? thoughtsOf(said.blocks) : '';
    return [
      {
        role: said.role,
        content: textOfSaid(said.blocks),
        ...nameOf(said),
        ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
      },
    ];
  },
  exchange: (said, answered) => callMessages(said, answered, (call) => ({ ...call, ...nameOf(said) })),
  history: plainHistory,
};

function nameOf(said: Said): JsonObject {
  const name = said.role === 'system' ? undefined : participantName(said);
  return name === undefined ? {} : { name };
}
