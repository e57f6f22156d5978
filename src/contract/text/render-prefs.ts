import type { NotifyPrefs } from '../notify.js';

/** Only what differs from silence: most agents never set anything. */
export function renderPrefs(prefs: NotifyPrefs): string {
  const { muteKinds, muteThreads, followThreads, quiet, digestCount, digestMinutes } = prefs;
  return [
    quiet ? 'Only urgent messages wake you.' : 'Mentions, replies, direct and urgent messages wake you.',
    ...(muteKinds.length === 0 ? [] : [`Muted notices: ${muteKinds.join(', ')}`]),
    ...(muteThreads.length === 0 ? [] : [`Muted threads: ${muteThreads.join(', ')}`]),
    ...(followThreads.length === 0 ? [] : [`Followed threads: ${followThreads.join(', ')}`]),
    `Digest: more than ${digestCount} unread notices, or the oldest over ${digestMinutes} min (0 is never)`,
  ].join('\n');
}
