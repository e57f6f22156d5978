// Applies an agent's notification preferences. Pure: called when a message is routed, not when it is read.
import type { Why } from '../contract/message.js';
import type { NoticeKind, NotifyPrefs } from '../contract/notify.js';

/** Whether a copy wakes its reader's wait for mentions. Urgent ones always do. */
export function wakes(
  prefs: NotifyPrefs | undefined,
  copy: { why: Why; threadId: string | null; isUrgent: boolean },
): boolean {
  if (copy.isUrgent) return true;
  const isAddressed = copy.why !== 'thread';
  if (prefs === undefined) return isAddressed;
  if (prefs.quiet || isIn(prefs.muteThreads, copy.threadId)) return false;
  return isAddressed || isIn(prefs.followThreads, copy.threadId);
}

/** Whether a notice is sent to this reader. Critical threads and the reader's own removal cannot be muted. */
export function receivesNotice(
  prefs: NotifyPrefs | undefined,
  notice: { kind: NoticeKind; threadId: string; isCritical: boolean },
): boolean {
  const { kind } = notice;
  if (prefs === undefined || kind === 'removed' || notice.isCritical) return true;
  return !prefs.muteKinds.includes(kind) && !isIn(prefs.muteThreads, notice.threadId);
}

function isIn(threads: readonly string[], threadId: string | null): boolean {
  return threadId !== null && threads.includes(threadId);
}
