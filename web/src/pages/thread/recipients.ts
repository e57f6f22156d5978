// Who got a message, as the history of a session says it. Pure.
import type { Message } from '../../data/types.js';

/** For a message that no one got, whom it was meant for. */
export function recipientsOf(message: Message): { names: readonly string[]; more: number } {
  const { recipients, moreRecipients, target } = message;
  const names = Array.isArray(recipients) ? recipients.filter((name) => typeof name === 'string') : [];
  if (names.length === 0) return { names: typeof target === 'string' ? [target] : [], more: 0 };
  return { names, more: typeof moreRecipients === 'number' ? moreRecipients : 0 };
}
