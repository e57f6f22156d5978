// Who gets which notice when a thread changes. Pure.
import type { NoticeKind } from '../contract/notify.js';
import type { ThreadRecord } from '../ports/store.js';
import type { NoticeValues } from './templates.js';

export interface Notice {
  kind: NoticeKind;
  /** One reader by a direct message, or several by one message in the thread. */
  to: string[];
  /** False for readers that are no longer in the thread. */
  isInThread: boolean;
  values: NoticeValues;
}

type About = Pick<Notice, 'to'> & Partial<Pick<NoticeValues, 'by' | 'agent' | 'summary'>>;

export function noticeOf(thread: ThreadRecord, kind: NoticeKind, { to, ...about }: About): Notice {
  const { title, id: threadId } = thread;
  const values = { title, threadId, by: '', agent: '', summary: 'none', ...about };
  return { kind, to, isInThread: kind !== 'removed', values };
}

/** Every member except the creator gets its own notice of the new thread. */
export function creationNotices(thread: ThreadRecord): Notice[] {
  const { creator } = thread;
  return thread.members
    .filter((id) => id !== creator)
    .map((id) => noticeOf(thread, 'created', { to: [id], by: creator, agent: id }));
}
