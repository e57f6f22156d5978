// get_messages: reads an inbox without waiting, peeks into it, or looks again at what was handed out.
import { encodeCursor } from '../contract/cursor.js';
import { HubError } from '../contract/errors.js';
import type { getMessages as contract } from '../contract/operations/get-messages.js';
import type { InputOf } from '../contract/operation.js';
import { isAdmin, type Caller, type NamedCaller } from '../ports/caller.js';
import type { CopyKey, InboxFilter } from '../ports/store.js';
import { acknowledgeCursor, requireCursor } from './acknowledge.js';
import { handOut, type HandedOut } from './hand-out.js';
import { answerWith, takeCopies, type ReadAnswer } from './take-copies.js';
import type { WaitPorts } from './wait.js';

type Input = InputOf<typeof contract>;

const recentMax = 100;

export async function getMessages(ports: WaitPorts, caller: Caller, input: Input): Promise<ReadAnswer> {
  const reader = readerOf(caller, input);
  const isOwn = reader.agentId === caller.agentId;
  if (!isOwn) await requireRegistered(ports, reader);
  if (caller.agentId === null) ports.saw(reader);
  if (input.include === 'recent') return { output: await recent(ports, reader, input) };
  const cursor = input.cursor === undefined ? null : requireCursor(input.cursor);
  if (cursor?.kind === 'lease') await acknowledgeCursor(ports, reader, cursor);
  if (!input.markAsRead)
    return { output: await peek(ports, reader, input, cursor?.kind === 'place' ? cursor.after : null) };
  const { unread, ...taken } = await take(ports, reader, input);
  return isOwn && unread !== undefined ? { ...taken, unread } : taken;
}

/** One's own inbox; another's only for an admin. `sessionId` is what some agents call the reading program. */
function readerOf(caller: Caller, input: Input): NamedCaller {
  const agentId = input.sessionId ?? caller.agentId;
  if (agentId === null) {
    throw new HubError('IDENTITY_REQUIRED', 'get_messages needs to know whose inbox to read.', {
      hint: 'Connect with ?agent=<your id>, or give sessionId or agentId.',
    });
  }
  if (caller.agentId !== null && agentId !== caller.agentId && !isAdmin(caller)) {
    throw new HubError('FORBIDDEN', `'${caller.agentId}' may not read the inbox of '${agentId}'.`, {
      hint: 'Leave sessionId out to read your own.',
    });
  }
  return { ...caller, agentId };
}

async function requireRegistered(ports: WaitPorts, { sessionId, agentId }: NamedCaller): Promise<void> {
  if ((await ports.store.findAgent({ sessionId, id: agentId })) !== null) return;
  throw new HubError('AGENT_UNKNOWN', `No agent '${agentId}' is registered.`, {
    hint: `Call register_agent with agentId '${agentId}' first.`,
    details: { agentId },
  });
}

function filterOf(input: Input): InboxFilter {
  return {
    wakingOnly: false,
    ...(input.threadId === undefined ? {} : { threadId: input.threadId }),
    ...(input.target === undefined ? {} : { target: input.target }),
    ...(input.messageType === undefined ? {} : { type: input.messageType }),
    ...(input.priority === undefined ? {} : { priority: input.priority }),
  };
}

async function take(ports: WaitPorts, reader: NamedCaller, input: Input): Promise<ReadAnswer> {
  const { limit, ack } = input;
  const taking = { filter: filterOf(input), limit, ack, token: ports.ids.leaseToken() };
  const taken = await takeCopies(ports, reader, taking);
  return answerWith(ports, reader, taken, { ...taking, waitedMs: 0 });
}

async function peek(
  ports: WaitPorts,
  reader: NamedCaller,
  input: Input,
  after: (string | number)[] | null,
): Promise<HandedOut> {
  const { sessionId, agentId } = reader;
  const found = await ports.store.peekCopies({
    sessionId,
    agentId,
    filter: filterOf(input),
    limit: input.limit,
    after: placeOf(after),
    now: ports.clock.now(),
  });
  const last = found.copies.at(-1)?.key;
  const cursor =
    last === undefined || !found.hasMore ? null : encodeCursor({ kind: 'place', after: [last.rank, last.seq] });
  return handOut(agentId, { ...found, cursor, waitedMs: 0, timedOut: false });
}

function placeOf(after: (string | number)[] | null): CopyKey | null {
  const [rank, seq] = after ?? [];
  return typeof rank === 'number' && typeof seq === 'number' ? { lane: 0, rank, seq } : null;
}

async function recent(ports: WaitPorts, reader: NamedCaller, input: Input): Promise<HandedOut> {
  const { sessionId, agentId } = reader;
  const limit = Math.min(input.limit, recentMax);
  const { states, ...found } = await ports.store.recentCopies({ sessionId, agentId, limit });
  const output = handOut(agentId, { ...found, cursor: null, waitedMs: 0, timedOut: false });
  return { ...output, messages: output.messages.map((message, index) => ({ ...message, state: states[index] })) };
}
