// A stored thread as callers see it.
import type { ThreadView } from '../contract/thread.js';
import type { ThreadRecord } from '../ports/store.js';

export function viewThread(thread: ThreadRecord): ThreadView {
  return {
    threadId: thread.id,
    title: thread.title,
    status: thread.status,
    creator: thread.creator,
    participants: thread.members,
    ...(thread.isCritical ? { critical: true } : {}),
    ...(thread.isPrivate ? { private: true } : {}),
    ...(thread.summary === null ? {} : { summary: thread.summary }),
  };
}
