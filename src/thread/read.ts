// list_threads and get_thread: read by members and admins; private threads do not exist for others.
import { decodeCursor, encodeCursor } from '../contract/cursor.js';
import { HubError } from '../contract/errors.js';
import type { Message } from '../contract/message.js';
import type { getThread as getContract } from '../contract/operations/get-thread.js';
import type { listThreads as listContract } from '../contract/operations/list-threads.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { threadUnknown } from '../message/route.js';
import { isAdmin, type Caller } from '../ports/caller.js';
import type { MessageRecord, Store, ThreadRecord } from '../ports/store.js';
import { viewThread } from './view.js';

export interface ReadThreadPorts {
  store: Pick<Store, 'listThreads' | 'readThread' | 'readThreadMessages' | 'seqOf'>;
  viewMessage: (record: MessageRecord, reader: string | null) => Message;
}

export async function listThreads(
  ports: ReadThreadPorts,
  caller: Caller,
  input: InputOf<typeof listContract>,
): Promise<OutputOf<typeof listContract>> {
  const after = input.cursor === undefined ? null : placeInList(input.cursor);
  const page = await ports.store.listThreads({
    sessionId: caller.sessionId,
    reader: caller.agentId,
    seesPrivate: isAdmin(caller),
    status: input.status ?? null,
    participant: input.participant ?? null,
    limit: input.limit,
    after,
  });
  return {
    threads: page.threads.map((thread) => ({
      ...viewThread(thread),
      critical: thread.isCritical,
      unread: thread.unread,
    })),
    cursor: page.after === null ? null : encodeCursor({ kind: 'place', after: page.after }),
  };
}

/** A thread's age and id, as the store gave them. */
function placeInList(text: string): (string | number)[] {
  const cursor = decodeCursor(text);
  const [createdAt, id, ...rest] = cursor?.kind === 'place' ? cursor.after : [];
  if (typeof createdAt !== 'number' || typeof id !== 'string' || rest.length > 0) throw notACursor('cursor');
  return [createdAt, id];
}

export async function getThread(
  ports: ReadThreadPorts,
  caller: Caller,
  input: InputOf<typeof getContract>,
): Promise<OutputOf<typeof getContract>> {
  const { sessionId } = caller;
  const thread = await ports.store.readThread({ sessionId, threadId: input.threadId });
  if (thread === null) throw threadUnknown(input.threadId);
  requireReader(thread, caller);
  const page = await ports.store.readThreadMessages({
    sessionId,
    threadId: thread.id,
    afterSeq: await placeToSeq(ports, sessionId, 'after', input.after),
    beforeSeq: await placeToSeq(ports, sessionId, 'before', input.before),
    limit: input.limit,
  });
  // Where the rest lies: behind the last message when reading on, before the first when reading back.
  const edge = input.after === undefined ? page.messages[0] : page.messages.at(-1);
  return {
    ...viewThread(thread),
    messages: page.messages.map((record) => ports.viewMessage(record, caller.agentId)),
    hasMore: page.hasMore,
    cursor: edge === undefined ? null : encodeCursor({ kind: 'place', after: [edge.seq] }),
  };
}

function requireReader(thread: ThreadRecord, caller: Caller): void {
  const isMember = caller.agentId !== null && thread.members.includes(caller.agentId);
  if (isMember || isAdmin(caller)) return;
  if (thread.isPrivate) throw threadUnknown(thread.id);
  throw new HubError('FORBIDDEN', `Only participants may read thread '${thread.id}'.`, {
    hint: 'Call join_thread first.',
    details: { threadId: thread.id },
  });
}

/** A place may be a cursor, a message id or a seq. */
async function placeToSeq(
  ports: ReadThreadPorts,
  sessionId: string,
  field: string,
  place: string | number | undefined,
): Promise<number | null> {
  if (place === undefined) return null;
  if (typeof place === 'number') return place;
  const seq = await ports.store.seqOf({ sessionId, messageId: place });
  if (seq !== null) return seq;
  const cursor = decodeCursor(place);
  const [after] = cursor?.kind === 'place' ? cursor.after : [];
  if (typeof after !== 'number') throw notACursor(field);
  return after;
}

function notACursor(field: string): HubError {
  return new HubError('INVALID_INPUT', `${field}: is not a place in this list.`, {
    hint: 'Use the cursor of an earlier answer, a message id or a seq.',
    details: { field },
  });
}
