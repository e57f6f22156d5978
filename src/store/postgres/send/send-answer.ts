// A send's answer as its key keeps it: without its place, which the database gives only when it is stored.
import { messageIdOf } from '../../../contract/ids.js';
import type { Appended } from '../../../ports/store.js';

type Kept = Omit<Appended, 'seq' | 'id' | 'sender' | 'duplicate'>;

export function packAnswer(appended: Appended): string {
  const { threadId, recipients, undelivered, mentions, droppedMentions, isInterrupt } = appended;
  const kept: Kept = { threadId, recipients, undelivered, mentions, droppedMentions, isInterrupt };
  return JSON.stringify(kept);
}

/** The first answer again, to whoever retries. */
export function unpackAnswer(
  text: string,
  { seq, salt, sender }: { seq: number; salt: number; sender: string },
): Appended {
  // Written by packAnswer.
  const kept = JSON.parse(text) as Kept;
  return { ...kept, seq, id: messageIdOf(seq, salt), sender, duplicate: true };
}

/** A sender's key as it is stored: it may hold characters that a text column cannot. */
export function keyText(key: string): string {
  return JSON.stringify(key);
}
