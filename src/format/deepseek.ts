// DeepSeek: OpenAI's messages with text only, and the thinking of turns with tool calls, which it requires back.
import { callMessages } from './openai.js';
import { plainHistory, type Provider } from './provider.js';
import type { JsonObject, TurnMessage } from './turn.js';
import { participantName, joinText, joinThinking } from './text.js';

export const deepseek: Provider = {
  system: 'message',
  supports: () => false,
  formatMessage: (message) => {
    const thinking = message.role === 'assistant' ? joinThinking(message.blocks) : '';
    return [
      {
        role: message.role,
        content: joinText(message.blocks),
        ...nameOf(message),
        ...(thinking === '' ? {} : { reasoning_content: thinking }),
      },
    ];
  },
  formatToolCalls: (message, exchanges) =>
    callMessages(message, exchanges, (call) => ({ ...call, ...nameOf(message) })),
  history: plainHistory,
};

function nameOf(message: TurnMessage): JsonObject {
  const name = message.role === 'system' ? undefined : participantName(message);
  return name === undefined ? {} : { name };
}
