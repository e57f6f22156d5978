// get_sent_messages and query_message_history: what was sent, newest first, page by page.
import { auditRead, type AuditPorts } from '../../access/audit-read.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { decodeCursor, encodeCursor } from '../../contract/cursor.js';
import { HubError } from '../../contract/errors.js';
import { systemAgentId } from '../../contract/ids.js';
import type { Message } from '../../contract/message.js';
import type { getSentMessages as outboxContract } from '../../contract/operations/get-sent-messages.js';
import type { queryMessageHistory as historyContract } from '../../contract/operations/query-message-history.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { ReceiptView } from '../../contract/receipt.js';
import { isAdmin, type Caller } from '../../ports/caller.js';
import type { HistoryPage } from '../../ports/history.js';
import type { Receipt, Store } from '../../ports/store.js';
import { fitMessages } from '../inbox/fit-messages.js';
import { viewReceipt } from '../receipts/receipts.js';
import { viewMessage } from '../inbox/view.js';

export interface HistoryPorts extends AuditPorts {
  store: Pick<Store, 'queryHistory' | 'findAgent'> & AuditPorts['store'];
}

export async function getSentMessages(
  ports: HistoryPorts,
  caller: Caller,
  { input, model }: { input: InputOf<typeof outboxContract>; model?: ModelReader | undefined },
): Promise<OutputOf<typeof outboxContract>> {
  const { sessionId } = caller;
  const sender = senderOf(caller, input.source);
  const page = await ports.store.queryHistory({
    sessionId,
    sender,
    threadId: input.threadId ?? null,
    recipient: input.target ?? null,
    status: input.status ?? null,
    type: null,
    since: null,
    until: null,
    before: beforeSeqOf(input.cursor),
    limit: input.limit,
    withDeliveries: true,
    now: ports.clock.now(),
  });
  if (sender !== caller.agentId) {
    if (page.entries.length === 0) await requireKnown(ports, sessionId, sender);
    const details = { messages: page.entries.length };
    await auditRead(ports, caller, { act: 'get_sent_messages', target: sender, details });
  }
  const sent = page.entries.map(({ message, deliveries }) => ({
    ...viewMessage(message, caller.agentId),
    ...copiesFor(deliveries, model),
  }));
  return pageOf(sent, page, model);
}

const copiesShown = 20;

/** A model is shown the first copies and the number of the others; get_receipts has them all. */
function copiesFor(
  deliveries: Receipt[],
  model: ModelReader | undefined,
): { deliveries: ReceiptView[]; moreDeliveries?: number } {
  const more = deliveries.length - copiesShown;
  if (model === undefined || more <= 0) return { deliveries: deliveries.map(viewReceipt) };
  return { deliveries: deliveries.slice(0, copiesShown).map(viewReceipt), moreDeliveries: more };
}

/** The caller's own outbox; another agent's only for an admin. */
function senderOf(caller: Caller, source: string | undefined): string {
  const sender = source ?? caller.agentId;
  if (sender === null) {
    throw new HubError('IDENTITY_REQUIRED', 'get_sent_messages needs the id of an agent.', {
      hint: 'Connect with ?agent=YOUR-NAME, or give source or agentId.',
    });
  }
  if (sender !== caller.agentId && !isAdmin(caller)) {
    throw new HubError('FORBIDDEN', `'${caller.agentId}' may not read the outbox of '${sender}'.`, {
      hint: 'Leave source out to read your own.',
    });
  }
  return sender;
}

/** Tells an empty outbox from a mistyped name. A removed agent may still have sent messages. */
async function requireKnown(ports: HistoryPorts, sessionId: string, id: string): Promise<void> {
  if (id === systemAgentId || (await ports.store.findAgent({ sessionId, id })) !== null) return;
  throw new HubError('AGENT_UNKNOWN', `No agent '${id}' is registered, and none with that id has sent such messages.`, {
    hint: 'Call list_agents and give one of its ids as source.',
    details: { source: id },
  });
}

export async function queryMessageHistory(
  ports: HistoryPorts,
  caller: Caller,
  { input, model }: { input: InputOf<typeof historyContract>; model?: ModelReader | undefined },
): Promise<OutputOf<typeof historyContract>> {
  const { threadId, source, target } = input;
  if (threadId === undefined && source === undefined && target === undefined) {
    throw new HubError('INVALID_INPUT', 'query_message_history needs at least one of threadId, source and target.', {
      hint: 'Give one of them; search_messages searches everywhere.',
      details: { field: 'threadId', problem: 'is required, or source or target' },
    });
  }
  requireOrder(input);
  const page = await ports.store.queryHistory({
    sessionId: caller.sessionId,
    threadId: threadId ?? null,
    sender: source ?? null,
    recipient: target ?? null,
    type: input.messageType ?? null,
    status: input.status ?? null,
    since: input.since ?? null,
    until: input.until ?? null,
    before: beforeSeqOf(input.cursor),
    limit: input.limit,
    withDeliveries: false,
    now: ports.clock.now(),
  });
  await auditRead(ports, caller, {
    act: 'query_message_history',
    target: threadId ?? source ?? target ?? '',
    details: { threadId, source, target, messages: page.entries.length },
  });
  const found = page.entries.map(({ message }) => viewMessage(message, caller.agentId));
  return pageOf(found, page, model);
}

export function requireOrder({ since, until }: { since?: number | undefined; until?: number | undefined }): void {
  if (since === undefined || until === undefined || since <= until) return;
  throw new HubError('INVALID_INPUT', 'since: is after until.', {
    hint: 'Give the earlier time as since and the later one as until.',
    details: { field: 'since', problem: 'is after until' },
  });
}

function pageOf<Entry extends Message>(
  found: Entry[],
  page: HistoryPage,
  model: ModelReader | undefined,
): { messages: Entry[]; hasMore: boolean; cursor: string | null } {
  const messages = fitMessages(found, model);
  const before = messages.length < found.length ? (messages.at(-1)?.seq ?? null) : page.before;
  const cursor = before === null ? null : encodeCursor({ kind: 'position', after: [before] });
  return { messages, hasMore: before !== null, cursor };
}

function beforeSeqOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [before, ...rest] = cursorFields(text);
  if (before === undefined || rest.length > 0) throw notACursor();
  return before;
}

/** The numbers in a cursor that marks a position in a list. */
export function cursorFields(text: string): number[] {
  const cursor = decodeCursor(text);
  if (cursor?.kind !== 'position') throw notACursor();
  return cursor.after.map((field) => {
    if (typeof field !== 'number' || !Number.isSafeInteger(field) || field < 0) throw notACursor();
    return field;
  });
}

export function notACursor(): HubError {
  return new HubError('INVALID_INPUT', 'cursor: is not a position in this list.', {
    hint: 'Use the cursor of an earlier answer as it was, or leave it out.',
    details: { field: 'cursor', problem: 'is not a position in this list' },
  });
}
