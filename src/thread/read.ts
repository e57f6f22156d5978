// list_threads and get_thread, for members, admins and observers; to others private threads look as if they did not exist.
import { auditRead, type AuditPorts } from '../access/audit-read.js';
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
import type { AwaitedAnswer } from '../contract/thread.js';
import { notAPosition, seqInCursor } from '../message/history/decide-position.js';
import { viewAwaited } from '../message/inbox/view.js';
import { threadUnknown } from '../message/send/route.js';
import { isAdmin, isObserver, type Caller } from '../ports/caller.js';
import type { MessageRecord, Receipt, Store, ThreadRecord } from '../ports/store.js';
import { firstVisibleSeq } from './visibility.js';
import { viewThreadFor } from './view.js';

export interface ReadThreadPorts extends AuditPorts {
  store: Pick<
    Store,
    'listThreads' | 'readThread' | 'readThreadMessages' | 'seqOf' | 'openingReceipts' | 'awaitedAnswers'
  > &
    AuditPorts['store'];
  viewMessage: (record: MessageRecord, reader: string | null) => Message;
  viewReceipt: (receipt: Receipt) => ReceiptView;
}

export async function listThreads(
  ports: ReadThreadPorts,
  caller: Caller,
  { input, model }: { input: InputOf<typeof listContract>; model: ModelReader | undefined },
): Promise<OutputOf<typeof listContract>> {
  const after = input.cursor === undefined ? null : positionInList(input.cursor);
  const page = await findThreads(ports, input.title, {
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
  const position = count < threads.length && last !== undefined ? [last.createdAt, last.id] : page.after;
  return {
    threads: threads.slice(0, count),
    cursor: position === null ? null : encodeCursor({ kind: 'position', after: position }),
  };
}

type ListQuery = Parameters<Store['listThreads']>[0];
type ListPage = Awaited<ReturnType<Store['listThreads']>>;

/** Titles are compared here, so that letters are the same in both stores: so many threads at a time, and so often for one answer. */
const [titlesAtOnce, titleReadsMax] = [500, 4];

async function findThreads({ store }: ReadThreadPorts, title: string | undefined, query: ListQuery): Promise<ListPage> {
  const wanted = foldTitle(title ?? '');
  if (wanted === '') return store.listThreads(query);
  const found: ListPage['threads'] = [];
  let { after } = query;
  for (let reads = 0; reads < titleReadsMax; reads += 1) {
    const page = await store.listThreads({ ...query, limit: titlesAtOnce, after });
    found.push(...page.threads.filter((thread) => foldTitle(thread.title).includes(wanted)));
    ({ after } = page);
    if (after === null || found.length > query.limit) break;
  }
  const threads = found.slice(0, query.limit);
  const last = threads.at(-1);
  return { threads, after: found.length > query.limit && last !== undefined ? [last.createdAt, last.id] : after };
}

function foldTitle(title: string): string {
  return title.normalize('NFKC').toLowerCase();
}

/** Creation time and id of a page's last thread. */
function positionInList(text: string): (string | number)[] {
  const cursor = decodeCursor(text);
  const [createdAt, id, ...rest] = cursor?.kind === 'position' ? cursor.after : [];
  if (typeof createdAt !== 'number' || typeof id !== 'string' || rest.length > 0) throw notAPosition('cursor');
  return [createdAt, id];
}

export async function getThread(
  ports: ReadThreadPorts,
  caller: Caller,
  { input, model }: { input: InputOf<typeof getContract>; model: ModelReader | undefined },
): Promise<OutputOf<typeof getContract>> {
  const { sessionId } = caller;
  const thread = await ports.store.readThread({ sessionId, threadId: input.threadId, reader: caller.agentId });
  if (thread === null) throw threadUnknown(input.threadId);
  requireReader(thread, caller);
  const page = await ports.store.readThreadMessages({
    sessionId,
    threadId: thread.id,
    afterSeq: await seqOf(ports, sessionId, { field: 'after', position: input.after }),
    beforeSeq: await seqOf(ports, sessionId, { field: 'before', position: input.before }),
    fromSeq: firstVisibleSeq(thread, caller.agentId),
    limit: input.limit,
  });
  if (isAdmin(caller) && !isMember(thread, caller)) {
    const details = { messages: page.messages.length };
    await auditRead(ports, caller, { act: 'get_thread', target: thread.id, details });
  }
  const view = {
    ...viewThreadFor(thread, model),
    ...(await openingReceipts(ports, thread, { caller, model })),
    ...(await awaitedIn(ports, thread, caller)),
  };
  const all = page.messages.map((record) => ports.viewMessage(record, caller.agentId));
  const isForward = input.after !== undefined;
  const messages = model === undefined ? all : fitMessages(all, isForward, model.tokensMax - entryTokens(view));
  // The rest follows the last message when reading forward, and precedes the first when reading backward.
  const edge = isForward ? messages.at(-1) : messages[0];
  return {
    ...view,
    messages,
    hasMore: page.hasMore || messages.length < all.length,
    cursor: edge === undefined ? null : encodeCursor({ kind: 'position', after: [edge.seq] }),
  };
}

const receiptsShown = 20;

/** The receipts of a critical thread's opening; a model is shown the first of many and the number of the others. */
async function openingReceipts(
  ports: ReadThreadPorts,
  { id: threadId, isCritical }: ThreadRecord,
  { caller, model }: { caller: Caller; model: ModelReader | undefined },
): Promise<{ receipts?: ReceiptView[]; moreReceipts?: number }> {
  const { sessionId } = caller;
  const isShown = isCritical && !isObserver(caller);
  const found = isShown ? await ports.store.openingReceipts({ sessionId, threadId, now: ports.clock.now() }) : null;
  if (found === null) return {};
  const receipts = found.slice(0, model === undefined ? undefined : receiptsShown).map(ports.viewReceipt);
  return { receipts, ...(receipts.length < found.length ? { moreReceipts: found.length - receipts.length } : {}) };
}

async function awaitedIn(
  { store, clock }: ReadThreadPorts,
  { id: threadId, isCritical }: ThreadRecord,
  { sessionId, agentId }: Caller,
): Promise<{ awaited?: AwaitedAnswer[] }> {
  if (!isCritical || agentId === null) return {};
  const awaited = await store.awaitedAnswers({ sessionId, agentId, threadIds: [threadId], now: clock.now() });
  return awaited.length === 0 ? {} : { awaited: awaited.map(viewAwaited) };
}

/** The oldest that fit when reading forward, else the newest; a message too long for any answer is cut. */
function fitMessages(messages: Message[], isForward: boolean, tokensMax: number): Message[] {
  const tokens = tokensMax - answerFrameTokens;
  const nearFirst = isForward ? messages : messages.toReversed();
  const near = nearFirst.slice(0, countThatFit(nearFirst, tokens, messageTokens));
  const shown = isForward ? near : near.toReversed();
  return shown.length === 1 ? shown.map((message) => cutMessage(message, tokens)) : shown;
}

function isMember({ members }: ThreadRecord, { agentId }: Caller): boolean {
  return agentId !== null && members.includes(agentId);
}

function requireReader(thread: ThreadRecord, caller: Caller): void {
  if (isMember(thread, caller) || isAdmin(caller)) return;
  if (thread.isPrivate) throw threadUnknown(thread.id);
  if (isObserver(caller)) return;
  throw new HubError('FORBIDDEN', `Only participants may read thread '${thread.id}'.`, {
    hint: 'Call join_thread first.',
    details: { threadId: thread.id },
  });
}

async function seqOf(
  { store }: ReadThreadPorts,
  sessionId: string,
  { field, position }: { field: string; position: string | number | undefined },
): Promise<number | null> {
  if (position === undefined) return null;
  if (typeof position === 'number') return position;
  return (await store.seqOf({ sessionId, messageId: position })) ?? seqInCursor(field, position);
}
