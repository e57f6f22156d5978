// Whether a copy wakes its reader, by the reader's notification preferences. Pure: decided when a message is routed.
import type { Why } from '../../contract/message.js';
import type { NotifyPrefs } from '../../contract/notify.js';

/** Whether a copy wakes its reader's wait for mentions. Urgent ones always do. */
export function wakes(
  prefs: NotifyPrefs | undefined,
  { why, threadId, isUrgent }: { why: Why; threadId: string | null; isUrgent: boolean },
): boolean {
  if (isUrgent) return true;
  const isAddressed = why !== 'thread';
  if (prefs === undefined) return isAddressed;
  const isIn = (threads: readonly string[]) => threadId !== null && threads.includes(threadId);
  if (prefs.quiet || isIn(prefs.muteThreads)) return false;
  return isAddressed || isIn(prefs.followThreads);
}
