// The view `compact` of a structured result: of each message what a reader needs to understand and answer it.
import type { Message } from './message.js';
import { addressed } from './text/render-messages.js';

/** Thread headers and names are left out too, as in the compact text. */
export function compactMessages(output: Record<string, unknown>): Record<string, unknown> {
  const { threads: _, names: __, messages, ...rest } = output;
  return Array.isArray(messages) ? { messages: messages.map(compactMessage), ...rest } : output;
}

function compactMessage(message: Message): Message {
  const { id, seq, threadId, sender, type, content, replyTo, timestamp, redelivered, cut, state } = message;
  const [target] = addressed(message);
  return {
    id,
    seq,
    ...(threadId === undefined ? {} : { threadId }),
    sender,
    ...(type === undefined ? {} : { type }),
    ...(target === undefined ? {} : { target }),
    content,
    ...(replyTo === undefined ? {} : { replyTo }),
    timestamp,
    ...(redelivered === undefined ? {} : { redelivered }),
    ...(state === undefined ? {} : { state }),
    ...(cut === undefined ? {} : { cut }),
  };
}
