// The result of a send as its idempotency key stores it: without the seq, which the database assigns when it is stored.
import { messageIdOf } from '../../../contract/ids.js';
import type { Appended } from '../../../ports/store.js';

type StoredAnswer = Omit<Appended, 'seq' | 'id' | 'sender' | 'duplicate'>;

export function packAnswer(appended: Appended): string {
  const { threadId, recipients, undelivered, mentions, droppedMentions, isInterrupt } = appended;
  const stored: StoredAnswer = { threadId, recipients, undelivered, mentions, droppedMentions, isInterrupt };
  return JSON.stringify(stored);
}

/** The first result again, for a retry. */
export function unpackAnswer(
  text: string,
  { seq, salt, sender }: { seq: number; salt: number; sender: string },
): Appended {
  // Written by packAnswer.
  const stored = JSON.parse(text) as StoredAnswer;
  return { ...stored, seq, id: messageIdOf(seq, salt), sender, duplicate: true };
}

/** A key as it is stored: as JSON, because it may have characters that a text column cannot store. */
export function keyText(key: string): string {
  return JSON.stringify(key);
}
