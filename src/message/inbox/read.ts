// get_messages: takes messages from an inbox without waiting, peeks at them, or lists recent ones again.
import { auditRead } from '../../access/audit-read.js';
import { personForbidden } from '../../access/decide-person.js';
import { answerFrameTokens, countThatFit, headerTokens, messageTokens } from '../../contract/budget/message-tokens.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { encodeCursor } from '../../contract/cursor.js';
import { HubError } from '../../contract/errors.js';
import { defaultSessionId } from '../../contract/ids.js';
import type { getMessages as contract } from '../../contract/operations/get-messages.js';
import type { InputOf } from '../../contract/operation.js';
import { isAdmin, type Caller, type NamedCaller } from '../../ports/caller.js';
import type { ThreadHeader } from '../../contract/thread.js';
import type { AgentRecord, CopyKey, HandedCopies, HandedCopy, InboxFilter } from '../../ports/store.js';
import { acknowledgeCursor, requireCursor } from './acknowledge.js';
import { handOut, type HandedOut } from './hand-out.js';
import { readOneMessage } from './read-one.js';
import { answerWith, fileInSteps, takeCopies, type ReadAnswer } from './take-copies.js';
import { threadFilter } from './thread-filter.js';
import { viewCopy } from './view.js';
import type { WaitContext } from '../wait/read-until.js';
import type { WaitPorts } from '../wait/wait.js';

type Input = InputOf<typeof contract>;
type Context = Pick<WaitContext, 'client' | 'model'>;

const recentMax = 100;

export async function getMessages(
  ports: WaitPorts,
  caller: Caller,
  { input, context }: { input: Input; context: Context },
): Promise<ReadAnswer> {
  const { model } = context;
  if (input.messageId !== undefined) return { output: await readOneMessage(ports, caller, { input, model }) };
  const reader = readerOf(caller, input);
  // A connection without a name speaks for whose inbox it reads.
  const self: NamedCaller = { ...caller, agentId: caller.agentId ?? reader.agentId };
  const isOther = reader.agentId !== self.agentId;
  if (isOther && input.markAsRead === true) throw onlyPeek(self, reader);
  if (isOther || caller.agentId === null) {
    const { kind } = await requireRegistered(ports, reader);
    if (kind === 'human' && !isOther && !isLook(input)) throw personForbidden(reader.agentId);
  }
  if (caller.agentId === null) ports.recordSeen(reader);
  const cursor = input.cursor === undefined ? null : requireCursor(input.cursor);
  const after = cursor?.kind === 'position' ? cursor.after : null;
  const filter = await filterOf(ports, reader, input);
  const look: Look = { filter, limit: input.limit, after, model };
  if (cursor?.kind === 'lease' && input.include !== 'recent') await acknowledgeCursor(ports, self, cursor);
  if (isOther) {
    const found = await lookAtOther(ports, caller, { reader, look, input });
    return { output: { ...found, peekedAt: reader.agentId } };
  }
  if (input.include === 'recent') return { output: await recent(ports, reader, look) };
  if (input.markAsRead === false) return { output: await peek(ports, reader, look) };
  const { unread, ...taken } = await take(ports, reader, { filter, input, context });
  return caller.agentId === null || unread === undefined ? taken : { ...taken, unread };
}

/** The caller's own inbox; another agent's only for an admin, and only to look at. */
function readerOf(caller: Caller, input: Input): NamedCaller {
  const agentId = input.sessionId ?? caller.agentId;
  if (agentId === null) {
    throw new HubError('IDENTITY_REQUIRED', 'get_messages needs the id of an agent.', {
      hint: 'Connect with ?agent=YOUR-NAME, or give sessionId or agentId.',
    });
  }
  if (caller.agentId !== null && agentId !== caller.agentId && !isAdmin(caller)) {
    throw new HubError('FORBIDDEN', `'${caller.agentId}' may not read the inbox of '${agentId}'.`, {
      hint: 'Leave sessionId out to read your own.',
    });
  }
  return { ...caller, agentId };
}

function onlyPeek(self: NamedCaller, { agentId }: NamedCaller): HubError {
  return new HubError('FORBIDDEN', `'${self.agentId}' may look at the inbox of '${agentId}', not mark it as read.`, {
    hint: `Leave markAsRead out to peek; mail of '${agentId}' is read by a program that connects as '${agentId}'.`,
    details: { field: 'markAsRead', inbox: agentId },
  });
}

/** Changes nothing in the inbox. */
function isLook({ include, markAsRead }: Input): boolean {
  return include === 'recent' || markAsRead === false;
}

async function requireRegistered(ports: WaitPorts, { sessionId, agentId }: NamedCaller): Promise<AgentRecord> {
  const agent = await ports.store.findAgent({ sessionId, id: agentId });
  if (agent !== null) return agent;
  const isSession = agentId === sessionId || agentId === defaultSessionId;
  throw new HubError('AGENT_UNKNOWN', `No agent '${agentId}' is registered.`, {
    hint:
      'sessionId says whose inbox to read, by agent id (list_agents has them); left out, it is your own. ' +
      (isSession
        ? 'The session is not given here: the connection chooses it.'
        : `To receive as '${agentId}', call register_agent first.`),
    details: { agentId },
  });
}

async function filterOf(ports: WaitPorts, reader: NamedCaller, input: Input): Promise<InboxFilter> {
  return {
    wakingOnly: false,
    ...(await threadFilter(ports, reader, input.threadId)),
    ...(input.target === undefined ? {} : { target: input.target }),
    ...(input.messageType === undefined ? {} : { type: input.messageType }),
    ...(input.priority === undefined ? {} : { priority: input.priority }),
  };
}

async function take(
  ports: WaitPorts,
  reader: NamedCaller,
  { filter, input, context }: { filter: InboxFilter; input: Input; context: Context },
): Promise<ReadAnswer> {
  const { limit, ack } = input;
  const { model, client } = context;
  const taking = { filter, limit, ack, token: ports.ids.leaseToken(), model, client };
  const taken = await takeCopies(ports, reader, taking);
  return answerWith(ports, reader, { taken, taking, waitedMs: 0 });
}

/** A read that changes nothing. */
interface Look {
  filter: InboxFilter;
  limit: number;
  after: (string | number)[] | null;
  model: ModelReader | undefined;
}

async function lookAtOther(
  ports: WaitPorts,
  caller: Caller,
  { reader, look, input }: { reader: NamedCaller; look: Look; input: Input },
): Promise<HandedOut> {
  const isRecent = input.include === 'recent';
  const found = isRecent ? await recent(ports, reader, look) : await peek(ports, reader, look);
  const details = { messages: found.messages.length };
  await auditRead(ports, caller, { act: 'get_messages', target: reader.agentId, details });
  return found;
}

async function peek(ports: WaitPorts, { sessionId, agentId }: NamedCaller, request: Look): Promise<HandedOut> {
  const { filter, limit, after } = request;
  const look = { sessionId, agentId, filter, limit, after: keyAfter(after), now: ports.clock.now() };
  let peeked = await ports.store.peekCopies(look);
  for (let steps = 1; peeked.mustFile === true; steps *= 2) {
    const isFiled = await fileInSteps(ports.store, { sessionId, agentId }, steps);
    peeked = await ports.store.peekCopies({ ...look, scansUnfiled: !isFiled });
  }
  const found = firstWithin(agentId, peeked, request.model);
  const last = found.copies.at(-1)?.key;
  const cursor =
    last === undefined || !found.hasMore ? null : encodeCursor({ kind: 'position', after: [last.rank, last.seq] });
  return handOut(agentId, { ...found, cursor, waitedMs: 0, timedOut: false }, request.model);
}

function keyAfter(after: (string | number)[] | null): CopyKey | null {
  const [rank, seq] = after ?? [];
  return typeof rank === 'number' && typeof seq === 'number' ? { lane: 0, rank, seq } : null;
}

/** Starts with the newest: what does not fit is older, and is read with the cursor. */
async function recent(ports: WaitPorts, { sessionId, agentId }: NamedCaller, request: Look): Promise<HandedOut> {
  const [position] = request.after ?? [];
  const { states, ...found } = await ports.store.recentCopies({
    sessionId,
    agentId,
    horizon: recentMax,
    before: position === undefined ? null : Number(position),
    limit: request.limit,
  });
  const stateOf = new Map(found.copies.map(({ key }, index) => [key.seq, states[index]]));
  const newestFirst = { ...found, copies: found.copies.toReversed() };
  const fitting = firstWithin(agentId, newestFirst, request.model);
  const copies = fitting.copies.toReversed();
  const { hasMore } = fitting;
  const [oldest] = copies;
  const cursor = oldest === undefined || !hasMore ? null : encodeCursor({ kind: 'position', after: [oldest.key.seq] });
  const threads = headersFor(copies, found.threads);
  const output = handOut(agentId, { copies, threads, hasMore, cursor, waitedMs: 0, timedOut: false }, request.model);
  return { ...output, messages: output.messages.map((message) => ({ ...message, state: stateOf.get(message.seq) })) };
}

/** As many copies as fit the budget. Nothing was leased, so the others stay in the inbox. */
function firstWithin(reader: string, found: HandedCopies, model: ModelReader | undefined): HandedCopies {
  if (model === undefined) return found;
  const counted = new Set<string>();
  const costOf = (copy: HandedCopy) => {
    const header = found.threads.find(({ threadId }) => threadId === copy.message.threadId);
    const isNew = header !== undefined && !counted.has(header.threadId);
    if (isNew) counted.add(header.threadId);
    return messageTokens(viewCopy(copy, reader), header) + (isNew ? headerTokens(header) : 0);
  };
  const count = countThatFit(found.copies, model.tokensMax - answerFrameTokens, costOf);
  const copies = found.copies.slice(0, count);
  return { copies, threads: headersFor(copies, found.threads), hasMore: found.hasMore || count < found.copies.length };
}

function headersFor(copies: readonly HandedCopy[], threads: readonly ThreadHeader[]): ThreadHeader[] {
  const needed = new Set(copies.map(({ message }) => message.threadId));
  return threads.filter(({ threadId }) => needed.has(threadId));
}
