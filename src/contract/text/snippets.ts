// Found messages to be shown with the part that was found in place of the whole.
import type { Message } from '../message.js';

export function showSnippets(messages: readonly (Message & { snippet: string })[]): Message[] {
  return messages.map(({ snippet, ...message }) => ({ ...message, content: [{ type: 'text', text: snippet }] }));
}
