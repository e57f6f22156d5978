// Notification preferences as text. Empty lists are left out, because most agents set nothing.
import type { NotifyPrefs } from '../notify.js';
import { inLine } from './in-line.js';

/** `of`: of another member, for whom an admin calls. */
export function renderPrefs(prefs: NotifyPrefs, of?: string): string {
  const { muteKinds, muteThreads, followThreads, quiet, digestCount, digestMinutes } = prefs;
  const whom = of === undefined ? 'you' : inLine(of);
  return [
    `${quiet ? 'Only urgent messages' : 'Mentions, replies, direct and urgent messages'} wake ${whom}.`,
    ...(muteKinds.length === 0 ? [] : [`Muted notices: ${muteKinds.map(inLine).join(', ')}`]),
    ...(muteThreads.length === 0 ? [] : [`Muted threads: ${muteThreads.map(inLine).join(', ')}`]),
    ...(followThreads.length === 0 ? [] : [`Followed threads: ${followThreads.map(inLine).join(', ')}`]),
    `Digest: more than ${digestCount} unread notices, or the oldest over ${digestMinutes} min (0 is never)`,
  ].join('\n');
}
