// Which messages of a thread a member may read. Pure: used by the store and by read operations.
import type { ThreadRecord } from '../ports/store.js';

/** The first seq a reader may see; 0 if it may see the whole thread. */
export function firstVisibleSeq(thread: ThreadRecord, agentId: string | null): number {
  return agentId === null ? 0 : (thread.hiddenBefore[agentId] ?? 0);
}

export function isVisibleToMember(thread: ThreadRecord, agentId: string, seq: number): boolean {
  return thread.members.includes(agentId) && seq >= firstVisibleSeq(thread, agentId);
}
