// What is inside an envelope. Its sender is known, but may be faulty: nothing is taken for granted.
import type { SignalAnswer, SignalContent, ToolCall } from '../../contract/signal/signal.js';
import { EnvelopeError } from './envelope-error.js';
import { fieldsOf } from './fields.js';

export function contentOf(payload: unknown): SignalContent {
  const { text, options, context, toolCall } = fieldsOf(payload);
  if (typeof text !== 'string' || !Array.isArray(options) || !options.every((option) => typeof option === 'string')) {
    throw new EnvelopeError('unreadable', 'The sealed text is not a question or an alert.');
  }
  return {
    text,
    options,
    context: typeof context === 'string' ? context : null,
    ...(toolCall === undefined ? {} : { toolCall: toolCallOf(toolCall) }),
  };
}

export function answerOf(payload: unknown): SignalAnswer {
  const { option, response } = fieldsOf(payload);
  const isOption = option === null || (typeof option === 'number' && Number.isInteger(option));
  if (typeof response !== 'string' || !isOption) {
    throw new EnvelopeError('unreadable', 'The sealed text is not an answer.');
  }
  return { option, response };
}

function toolCallOf(value: unknown): ToolCall {
  const { tool, input, cwd } = fieldsOf(value);
  if (typeof tool !== 'string' || typeof input !== 'string') {
    throw new EnvelopeError('unreadable', 'The sealed text is not a tool call.');
  }
  return { tool, input, cwd: typeof cwd === 'string' ? cwd : null };
}
