// What is told to whom when a thread changes. Pure.
import type { NoticeKind } from '../contract/notify.js';
import type { ThreadRecord } from '../ports/store.js';
import type { NoticeValues } from './templates.js';

export interface Notice {
  kind: NoticeKind;
  /** One reader, or all of these by one message in the thread. */
  to: string[];
  /** False for those who are not in the thread any more. */
  isInThread: boolean;
  values: NoticeValues;
}

type About = Partial<Pick<NoticeValues, 'by' | 'agent' | 'summary'>>;

export function noticeOf(thread: ThreadRecord, kind: NoticeKind, to: string[], about: About): Notice {
  const { title, id: threadId } = thread;
  const values = { title, threadId, by: '', agent: '', summary: 'none', ...about };
  return { kind, to, isInThread: kind !== 'removed', values };
}

/** Everyone but the creator learns that it is in a new thread, each by a message of its own. */
export function creationNotices(thread: ThreadRecord): Notice[] {
  const { creator } = thread;
  return thread.members
    .filter((id) => id !== creator)
    .map((id) => noticeOf(thread, 'created', [id], { by: creator, agent: id }));
}
