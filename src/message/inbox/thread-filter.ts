// What a threadId means in a filter. Any text may be a label, so a title does not replace it: copies of both pass.
import { threadIdPattern } from '../../contract/ids.js';
import type { InboxFilter, Store } from '../../ports/store.js';

export async function threadFilter(
  { store }: { store: Pick<Store, 'threadsTitled'> },
  { sessionId, agentId }: { sessionId: string; agentId: string },
  written: string | undefined,
): Promise<Pick<InboxFilter, 'threadIds'>> {
  if (written === undefined) return {};
  if (threadIdPattern.test(written)) return { threadIds: [written] };
  return { threadIds: [written, ...(await store.threadsTitled({ sessionId, agentId, title: written }))] };
}
