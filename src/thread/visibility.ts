// What of a thread a member may read back. Pure: the store and the doors ask the same question.
import type { ThreadRecord } from '../ports/store.js';

/** The first seq a reader sees; 0 for those who were there from the start, or when all of it is shown. */
export function firstVisibleSeq(thread: ThreadRecord, agentId: string | null): number {
  return agentId === null ? 0 : (thread.hiddenBefore[agentId] ?? 0);
}

export function isVisibleToMember(thread: ThreadRecord, agentId: string, seq: number): boolean {
  return thread.members.includes(agentId) && seq >= firstVisibleSeq(thread, agentId);
}
