// The headers of the threads that messages belong to, which a reader gets once.
import type { ThreadHeader } from '../../../contract/thread.js';
import type { HandedCopy } from '../../../ports/store.js';
import { participantsShown } from '../../rows/thread-row.js';
import { factsOfAgent } from '../session/agents.js';
import { findThread } from './thread-rows.js';
import type { Tx } from '../writer/transaction.js';

/** A thread id that was never created is only a label and has no header. */
export function headersOf(tx: Tx, sessionId: string, copies: readonly HandedCopy[]): ThreadHeader[] {
  const ids = new Set(copies.flatMap(({ message }) => (message.threadId === null ? [] : [message.threadId])));
  return [...ids].flatMap((threadId) => {
    const thread = findThread(tx, sessionId, threadId);
    if (thread === undefined) return [];
    const shown = thread.members.slice(0, participantsShown);
    const participants = shown.map((id) => ({ id, name: factsOfAgent(tx, sessionId, id)?.name ?? id }));
    const moreParticipants = thread.members.length - shown.length;
    return [{ threadId, title: thread.title, status: thread.status, participants, moreParticipants }];
  });
}
