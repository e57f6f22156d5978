// A stored thread as callers see it.
import type { ModelReader } from '../contract/budget/model-reader.js';
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

const participantsShown = 20;

/** A model is shown the first participants and the number of the others. */
export function viewThreadFor(thread: ThreadRecord, model: ModelReader | undefined): ThreadView {
  const view = viewThread(thread);
  const more = view.participants.length - participantsShown;
  if (model === undefined || more <= 0) return view;
  return { ...view, participants: view.participants.slice(0, participantsShown), moreParticipants: more };
}
