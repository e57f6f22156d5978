// Combines many notices into one message, for an agent that was away. Pure.
import { onOneLine } from '../contract/text/in-line.js';
import type { NoticeKind, NotifyPrefs } from '../contract/notify.js';
import type { InboxFilter } from '../ports/store.js';

export interface DigestedNotice {
  kind: NoticeKind;
  by: string;
  threadId: string;
  title: string;
  isCritical: boolean;
}

/** Unread messages in a thread besides the notices. */
export interface ThreadBacklog {
  unread: number;
  urgent: number;
}

export function isUnfiltered({ from, threadIds, target, type, priority }: InboxFilter): boolean {
  return [from, threadIds, target, type, priority].every((wanted) => wanted === undefined);
}

/** A reader that filters gets no digest. */
export function mayNeedDigest(filter: InboxFilter, copies: readonly { notice: string | null }[]): boolean {
  return (
    isUnfiltered(filter) && copies.some(({ notice }) => notice !== null && notice !== 'digest' && notice !== 'removed')
  );
}

/** A single notice is never replaced by a digest, however old. */
export function isDigestDue(prefs: NotifyPrefs, notices: { count: number; oldestAt: number; now: number }): boolean {
  if (notices.count < 2) return false;
  const isMany = prefs.digestCount > 0 && notices.count > prefs.digestCount;
  const isOld = prefs.digestMinutes > 0 && notices.now - notices.oldestAt > prefs.digestMinutes * 60_000;
  return isMany || isOld;
}

const threadsShown = 40;

/** Urgent threads first, then those with the most to read. */
export function digestText(
  notices: readonly DigestedNotice[],
  backlog: ReadonlyMap<string, ThreadBacklog>,
  count: number,
): string {
  const threads = [...groupByThread(notices)].map(([threadId, ofThread]) => ({
    threadId,
    notices: ofThread,
    isCritical: ofThread.some(({ isCritical }) => isCritical),
    ...(backlog.get(threadId) ?? { unread: 0, urgent: 0 }),
  }));
  const ordered = threads.toSorted(
    (a, b) =>
      Number(b.isCritical) - Number(a.isCritical) || Number(b.urgent > 0) - Number(a.urgent > 0) || b.unread - a.unread,
  );
  const lines = ordered.slice(0, threadsShown).map((thread) => lineOf(thread));
  const rest = ordered.length - lines.length;
  return [
    `While you were away ${count} notices came about ${ordered.length} threads:`,
    ...lines,
    ...(rest > 0 ? [`and ${rest} more threads; list_threads has them all.`] : []),
  ].join('\n');
}

function groupByThread(notices: readonly DigestedNotice[]): Map<string, DigestedNotice[]> {
  const threads = new Map<string, DigestedNotice[]>();
  for (const notice of notices) {
    const ofThread = threads.get(notice.threadId);
    if (ofThread === undefined) threads.set(notice.threadId, [notice]);
    else ofThread.push(notice);
  }
  return threads;
}

function lineOf(thread: {
  threadId: string;
  notices: readonly DigestedNotice[];
  isCritical: boolean;
  unread: number;
  urgent: number;
}): string {
  const [first] = thread.notices;
  const events = [...new Set(thread.notices.map((notice) => eventOf(notice)))].join(', ');
  const waiting = [
    ...(thread.unread > 0 ? [`${thread.unread} unread`] : []),
    ...(thread.urgent > 0 ? [`${thread.urgent} urgent`] : []),
  ].join(', ');
  const mark = thread.isCritical ? 'CRITICAL ' : '';
  return `- ${mark}"${onOneLine(first?.title ?? '')}" (${thread.threadId}): ${events}${waiting === '' ? '' : `; ${waiting}`}`;
}

function eventOf({ kind, by }: DigestedNotice): string {
  const events: Record<NoticeKind, string> = {
    created: `added by ${by}`,
    added: `added by ${by}`,
    joined: 'joined',
    member_joined: `${by} joined`,
    removed: `removed by ${by}`,
    closed: `closed by ${by}`,
    reopened: `reopened by ${by}`,
  };
  return events[kind];
}
