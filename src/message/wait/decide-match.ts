// Whether a wait takes a copy, by what its hint says. Pure: asked when a copy is stored and when its readers are woken.
import type { InboxFilter } from '../../ports/store.js';
import type { CopyHint } from '../../ports/wakeup.js';

/** An interrupt passes every filter. */
export function waitTakes(filter: InboxFilter, hint: Omit<CopyHint, 'sessionId' | 'agentId' | 'seq'>): boolean {
  if (hint.isInterrupt) return true;
  if (filter.wakingOnly && !hint.isWaking) return false;
  if (filter.from !== undefined && filter.from !== hint.sender) return false;
  const { threadIds } = filter;
  return threadIds === undefined || (hint.threadId !== null && threadIds.includes(hint.threadId));
}
