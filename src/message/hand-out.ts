// Puts leased or peeked copies into the answer both reading operations give.
import { encodeCursor } from '../contract/cursor.js';
import type { waitForMentions } from '../contract/operations/wait-for-mentions.js';
import type { OutputOf } from '../contract/operation.js';
import type { ThreadHeader } from '../contract/thread.js';
import type { HandedCopy, LeasedCopies, Store } from '../ports/store.js';
import { viewCopy } from './view.js';

export type HandedOut = OutputOf<typeof waitForMentions>;

const participantsShown = 10;

export interface HandOutPorts {
  store: Pick<Store, 'readThread' | 'namesOf'>;
}

export async function handOut(
  ports: HandOutPorts,
  reader: { sessionId: string; agentId: string },
  found: { copies: HandedCopy[]; hasMore: boolean; cursor: string | null; waitedMs: number; timedOut: boolean },
): Promise<HandedOut> {
  const { copies, ...rest } = found;
  const threads = await headersOf(ports, reader.sessionId, copies);
  return {
    messages: copies.map((copy) => viewCopy(copy, reader.agentId)),
    ...(threads.length === 0 ? {} : { threads }),
    timedOut: rest.timedOut,
    waitedMs: Math.round(rest.waitedMs),
    hasMore: rest.hasMore,
    cursor: rest.cursor,
  };
}

/** Acknowledges the whole answer when it comes back in a later call. */
export function leaseCursor(lease: LeasedCopies): string | null {
  const [first] = lease.keys.toSorted((a, b) => a.rank - b.rank || a.seq - b.seq);
  if (first === undefined) return null;
  return encodeCursor({
    kind: 'lease',
    token: lease.token,
    count: lease.keys.length,
    rank: first.rank,
    seq: first.seq,
  });
}

/** Each thread's header once. A thread no one created is only a label and has none. */
async function headersOf(
  ports: HandOutPorts,
  sessionId: string,
  copies: readonly HandedCopy[],
): Promise<ThreadHeader[]> {
  const ids = new Set(copies.flatMap(({ message }) => (message.threadId === null ? [] : [message.threadId])));
  const headers = await Promise.all([...ids].map((threadId) => headerOf(ports, sessionId, threadId)));
  return headers.filter((header) => header !== null);
}

async function headerOf(ports: HandOutPorts, sessionId: string, threadId: string): Promise<ThreadHeader | null> {
  const thread = await ports.store.readThread({ sessionId, threadId });
  if (thread === null) return null;
  const shown = thread.members.slice(0, participantsShown);
  const names = await ports.store.namesOf({ sessionId, ids: shown });
  return {
    threadId,
    title: thread.title,
    status: thread.status,
    participants: shown.map((id) => ({ id, name: names[id] ?? id })),
    moreParticipants: thread.members.length - shown.length,
  };
}
