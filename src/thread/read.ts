// list_threads and get_thread: read by members and admins; private threads do not exist for others.
import { cutMessage } from '../contract/budget/cut-message.js';
import { answerFrameTokens, countThatFit, entryTokens, messageTokens } from '../contract/budget/message-tokens.js';
import type { ModelReader } from '../contract/budget/model-reader.js';
import { decodeCursor, encodeCursor } from '../contract/cursor.js';
import { HubError } from '../contract/errors.js';
import type { Message } from '../contract/message.js';
import type { getThread as getContract } from '../contract/operations/get-thread.js';
import type { listThreads as listContract } from '../contract/operations/list-threads.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { ReceiptView } from '../contract/receipt.js';
import { threadUnknown } from '../message/send/route.js';
import { isAdmin, type Caller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { MessageRecord, Receipt, Store, ThreadRecord } from '../ports/store.js';
import { firstVisibleSeq } from './visibility.js';
import { viewThreadFor } from './view.js';

export interface ReadThreadPorts {
  store: Pick<Store, 'listThreads' | 'readThread' | 'readThreadMessages' | 'seqOf' | 'openingReceipts'>;
  viewMessage: (record: MessageRecord, reader: string | null) => Message;
  clock: Clock;
  viewReceipt: (receipt: Receipt) => ReceiptView;
}

export async function listThreads(
  ports: ReadThreadPorts,
  caller: Caller,
  input: InputOf<typeof listContract>,
  model: ModelReader | undefined,
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
  const threads = page.threads.map((thread) => ({
    ...viewThreadFor(thread, model),
    critical: thread.isCritical,
    unread: thread.unread,
  }));
  const count =
    model === undefined ? threads.length : countThatFit(threads, model.tokensMax - answerFrameTokens, entryTokens);
  const last = page.threads[count - 1];
  const place = count < threads.length && last !== undefined ? [last.createdAt, last.id] : page.after;
  return {
    threads: threads.slice(0, count),
    cursor: place === null ? null : encodeCursor({ kind: 'place', after: place }),
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
  model: ModelReader | undefined,
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
    fromSeq: firstVisibleSeq(thread, caller.agentId),
    limit: input.limit,
  });
  const view = { ...viewThreadFor(thread, model), ...(await openingReceipts(ports, caller, thread, model)) };
  const all = page.messages.map((record) => ports.viewMessage(record, caller.agentId));
  const isReadingOn = input.after !== undefined;
  const messages = model === undefined ? all : messagesWithin(all, isReadingOn, model.tokensMax - entryTokens(view));
  // Where the rest lies: behind the last message when reading on, before the first when reading back.
  const edge = isReadingOn ? messages.at(-1) : messages[0];
  return {
    ...view,
    messages,
    hasMore: page.hasMore || messages.length < all.length,
    cursor: edge === undefined ? null : encodeCursor({ kind: 'place', after: [edge.seq] }),
  };
}

const receiptsShown = 20;

/** A critical thread shows where its opening stands; to a model, in a crowd, with the first members and a number. */
async function openingReceipts(
  ports: ReadThreadPorts,
  { sessionId }: Caller,
  { id: threadId, isCritical }: ThreadRecord,
  model: ModelReader | undefined,
): Promise<{ receipts?: ReceiptView[]; moreReceipts?: number }> {
  const found = isCritical ? await ports.store.openingReceipts({ sessionId, threadId, now: ports.clock.now() }) : null;
  if (found === null) return {};
  const receipts = found.slice(0, model === undefined ? undefined : receiptsShown).map(ports.viewReceipt);
  return { receipts, ...(receipts.length < found.length ? { moreReceipts: found.length - receipts.length } : {}) };
}

/** The oldest that fit when reading on, else the newest; one that is too long for any answer is cut. */
function messagesWithin(messages: Message[], isReadingOn: boolean, tokensMax: number): Message[] {
  const tokens = tokensMax - answerFrameTokens;
  const nearFirst = isReadingOn ? messages : messages.toReversed();
  const near = nearFirst.slice(0, countThatFit(nearFirst, tokens, messageTokens));
  const shown = isReadingOn ? near : near.toReversed();
  return shown.length === 1 ? shown.map((message) => cutMessage(message, tokens)) : shown;
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
  return new HubError('INVALID_INPUT', `${field}: is not a position in this list.`, {
    hint: 'Use the cursor of an earlier answer, a message id or a seq.',
    details: { field },
  });
}
