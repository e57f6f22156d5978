// The thread a caller means. Agents know a thread by its title as well as by its id.
import { threadIdPattern } from '../../contract/ids.js';
import { threadAmbiguous } from '../../message/send/route.js';
import type { ThreadRecord } from '../../ports/store.js';
import { openThreadsTitled } from '../sql/threads.js';
import type { Inbox, InThread, Statements } from './statements.js';
import type { Steps } from './steps.js';

/** By its id; else the only open thread of this agent with that title. Undefined if there is none; throws if several. */
export function* meantThread(
  tx: Statements,
  { sessionId, threadId: written }: InThread,
  agentId: string | null,
): Steps<ThreadRecord | undefined> {
  const thread = yield* tx.findThread(sessionId, written);
  if (thread !== undefined || agentId === null) return thread;
  const [meant = written] = yield* meantThreads(tx, { sessionId, agentId }, [written]);
  return meant === written ? undefined : yield* tx.findThread(sessionId, meant);
}

/** Titles as the ids of their threads; what is not the title of one stays as it is, a label. Throws if it is that of several. */
export function* meantThreads(tx: Statements, inbox: Inbox, written: readonly string[]): Steps<string[]> {
  const titles = written.filter((each) => !threadIdPattern.test(each));
  if (titles.length === 0) return [...written];
  const titled = yield* openThreadsTitled(tx, inbox, titles);
  const meant = written.map((each) => {
    const [id = each, ...others] = titled.get(each) ?? [];
    if (others.length > 0) throw threadAmbiguous(each, [id, ...others]);
    return id;
  });
  return [...new Set(meant)];
}

/** As the store port requires it. */
export function* readThread(
  tx: Statements,
  { sessionId, threadId, reader }: InThread & { reader: string | null },
): Steps<ThreadRecord | null> {
  return (yield* meantThread(tx, { sessionId, threadId }, reader)) ?? null;
}

/** As the store port requires it. */
export function* threadsTitled(tx: Statements, { title, ...inbox }: Inbox & { title: string }): Steps<string[]> {
  return (yield* openThreadsTitled(tx, inbox, [title])).get(title) ?? [];
}
