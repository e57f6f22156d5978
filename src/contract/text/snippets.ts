// Search results rendered with their snippet instead of the whole content.
import type { Message } from '../message.js';

export function showSnippets(messages: readonly (Message & { snippet: string })[]): Message[] {
  return messages.map(({ snippet, ...message }) => ({ ...message, content: [{ type: 'text', text: snippet }] }));
}
