// Who may read a message back. Pure: the doors and the store's search ask the same question.
import type { Receipt, ThreadRecord } from '../../ports/store.js';
import { isVisibleToMember } from '../../thread/visibility.js';

export interface ReadingFacts {
  sender: string;
  seq: number;
  /** The thread it stands in. */
  thread: ThreadRecord | null | undefined;
  /** The reader's own copy, asked for only when nothing else lets it read. */
  ownCopy: () => Pick<Receipt, 'state' | 'attempts'> | undefined;
}

/**
 * One's own, what stands in a thread one is in, and what one got a copy of. A copy that died before it was ever handed
 * out was not received: its reader left the thread, or was not there yet.
 */
export function mayRead({ sender, seq, thread, ownCopy }: ReadingFacts, reader: string): boolean {
  if (sender === reader) return true;
  if (thread !== null && thread !== undefined && isVisibleToMember(thread, reader, seq)) return true;
  const own = ownCopy();
  return own !== undefined && (own.state !== 'dead_lettered' || own.attempts > 0);
}
