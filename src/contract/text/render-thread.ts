// A thread as a few plain lines.
import type { ThreadView } from '../thread.js';

export function renderThread(thread: ThreadView): string {
  const shown = thread.participants.slice(0, 10).join(', ');
  const more = thread.participants.length > 10 ? ` and ${thread.participants.length - 10} more` : '';
  return [
    `ID: ${thread.threadId}`,
    `Name: ${thread.title}`,
    `Status: ${thread.status}`,
    `Creator: ${thread.creator}`,
    `Participants: ${shown}${more}`,
    ...(thread.summary === undefined ? [] : [`Summary: ${thread.summary}`]),
  ].join('\n');
}
