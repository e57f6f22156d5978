// A thread as a few lines of text.
import type { ThreadView } from '../thread.js';
import { inLine, inLines } from './in-line.js';

export function renderThread(thread: ThreadView): string {
  const shown = thread.participants.slice(0, 10).map(inLine).join(', ');
  const count = thread.participants.length + (thread.moreParticipants ?? 0);
  const more = count > 10 ? ` and ${count - 10} more` : '';
  return [
    `ID: ${inLine(thread.threadId)}`,
    `Name: ${inLine(thread.title)}`,
    `Status: ${thread.status}`,
    `Creator: ${inLine(thread.creator)}`,
    `Participants: ${shown}${more}`,
    ...(thread.critical === true ? ['Critical: every message wakes all'] : []),
    ...(thread.private === true ? ['Private: true'] : []),
    ...(thread.summary === undefined ? [] : [`Summary: ${inLines(thread.summary)}`]),
  ].join('\n');
}
