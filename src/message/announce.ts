// Tells waits and followers that messages were committed. Only ever called after the commit.
import type { Appended } from '../ports/store.js';
import type { Wakeup } from '../ports/wakeup.js';

export function announce(wakeup: Wakeup, sessionId: string, appended: readonly Appended[]): void {
  if (appended.length === 0) return;
  wakeup.copies(
    appended.flatMap(({ recipients, threadId, sender, isInterrupt }) =>
      recipients.map(({ id, isWaking }) => ({ sessionId, agentId: id, threadId, sender, isWaking, isInterrupt })),
    ),
  );
  wakeup.feed(sessionId);
}
