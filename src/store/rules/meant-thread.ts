// The thread a caller means. Agents know a thread by its title as well as by its id.
import type { ThreadRecord } from '../../ports/store.js';
import { openThreadsTitled } from '../sql/threads.js';
import type { InThread, Statements } from './statements.js';
import type { Steps } from './steps.js';

/** By its id; else the only open thread of this agent with that title. Undefined if there is none, or several. */
export function* meantThread(
  tx: Statements,
  { sessionId, threadId: written }: InThread,
  agentId: string | null,
): Steps<ThreadRecord | undefined> {
  const thread = yield* tx.findThread(sessionId, written);
  if (thread !== undefined || agentId === null) return thread;
  const [meant, other] = yield* openThreadsTitled(tx, { sessionId, agentId }, written);
  return meant === undefined || other !== undefined ? undefined : yield* tx.findThread(sessionId, meant);
}

/** As the store port requires it. */
export function* readThread(
  tx: Statements,
  { sessionId, threadId, reader }: InThread & { reader: string | null },
): Steps<ThreadRecord | null> {
  return (yield* meantThread(tx, { sessionId, threadId }, reader)) ?? null;
}
