// A thread as a few lines of text.
import type { ThreadView } from '../thread.js';

export function renderThread(thread: ThreadView): string {
  const shown = thread.participants.slice(0, 10).join(', ');
  const count = thread.participants.length + (thread.moreParticipants ?? 0);
  const more = count > 10 ? ` and ${count - 10} more` : '';
  return [
    `ID: ${thread.threadId}`,
    `Name: ${thread.title}`,
    `Status: ${thread.status}`,
    `Creator: ${thread.creator}`,
    `Participants: ${shown}${more}`,
    ...(thread.critical === true ? ['Critical: every message wakes all'] : []),
    ...(thread.private === true ? ['Private: true'] : []),
    ...(thread.summary === undefined ? [] : [`Summary: ${thread.summary}`]),
  ].join('\n');
}
