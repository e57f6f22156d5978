// Whether a notice is sent to a reader, by the reader's notification preferences. Pure.
import type { NoticeKind, NotifyPrefs } from '../contract/notify.js';

/** Critical threads and the reader's own removal cannot be muted. */
export function receivesNotice(
  prefs: NotifyPrefs | undefined,
  { kind, threadId, isCritical }: { kind: NoticeKind; threadId: string; isCritical: boolean },
): boolean {
  if (prefs === undefined || kind === 'removed' || isCritical) return true;
  return !prefs.muteKinds.includes(kind) && !prefs.muteThreads.includes(threadId);
}
