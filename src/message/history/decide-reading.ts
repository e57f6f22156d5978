// Who may read a message. Pure: used by read operations and by the store's search.
import type { Reader } from '../../ports/caller.js';
import type { Receipt, ThreadRecord } from '../../ports/store.js';
import { isVisibleToMember } from '../../thread/visibility.js';

export interface ReadingFacts {
  sender: string;
  seq: number;
  /** The thread the message is in. */
  thread: ThreadRecord | null | undefined;
  /** The reader's own copy; looked up only if nothing else permits reading. */
  ownCopy: () => Pick<Receipt, 'state' | 'attempts'> | undefined;
}

/**
 * An observer may read what is in threads that are not private. For an agent are permitted: own messages, messages in the reader's threads, and messages the reader got a copy of. A copy that became a
 * dead letter before it was ever handed out does not count: its reader had left the thread, or was not registered yet.
 */
export function mayRead({ sender, seq, thread, ownCopy }: ReadingFacts, reader: Reader): boolean {
  if (reader.kind === 'all') return true;
  if (reader.kind === 'observer') return thread?.isPrivate === false;
  const { agentId } = reader;
  if (sender === agentId) return true;
  if (thread !== null && thread !== undefined && isVisibleToMember(thread, agentId, seq)) return true;
  const own = ownCopy();
  return own !== undefined && (own.state !== 'dead_lettered' || own.attempts > 0);
}
