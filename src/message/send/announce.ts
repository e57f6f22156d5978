// Wakes waits and followers of committed messages. Only called after the commit.
import type { Metrics } from '../../ports/metrics.js';
import type { Appended } from '../../ports/store.js';
import type { Wakeup } from '../../ports/wakeup.js';

export interface AnnouncePorts {
  wakeup: Wakeup;
  metrics: Metrics;
}

export function announce({ wakeup, metrics }: AnnouncePorts, sessionId: string, appended: readonly Appended[]): void {
  if (appended.length === 0) return;
  for (const { recipients, undelivered } of appended) metrics.countSend(recipients.length + undelivered.length);
  wakeup.copies(
    appended.flatMap(({ seq, recipients, threadId, sender, isInterrupt }) =>
      recipients.map(({ id, isWaking }) => ({ sessionId, agentId: id, seq, threadId, sender, isWaking, isInterrupt })),
    ),
  );
  for (const { threadId } of appended) if (threadId !== null) wakeup.thread(sessionId, threadId);
  wakeup.feed(sessionId);
}
