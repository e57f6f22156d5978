// get_messages with messageId: reads one message again, from an offset in its text. Changes nothing.
import { auditRead, type AuditPorts } from '../../access/audit-read.js';
import { cutMessage } from '../../contract/budget/cut-message.js';
import { answerFrameTokens } from '../../contract/budget/message-tokens.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { HubError } from '../../contract/errors.js';
import type { getMessages as contract } from '../../contract/operations/get-messages.js';
import type { InputOf } from '../../contract/operation.js';
import { readerOf, readerWithoutAdmin, type Caller, type Reader } from '../../ports/caller.js';
import type { MessageRecord, Receipt, Store } from '../../ports/store.js';
import { mayRead } from '../history/decide-reading.js';
import type { HandedOut } from './hand-out.js';
import { viewMessage } from './view.js';

export interface ReadOnePorts extends AuditPorts {
  store: Pick<Store, 'receipts' | 'readThread'> & AuditPorts['store'];
}

export async function readOneMessage(
  ports: ReadOnePorts,
  caller: Caller,
  { input, model }: { input: InputOf<typeof contract>; model: ModelReader | undefined },
): Promise<HandedOut> {
  const { messageId = '', offset } = input;
  const found = await ports.store.receipts({ sessionId: caller.sessionId, messageId, now: ports.clock.now() });
  const mayBeReadBy = found === null ? () => false : await readersOf(ports, caller, found);
  if (found === null || !mayBeReadBy(readerOf(caller))) throw messageUnknown(messageId);
  if (!mayBeReadBy(readerWithoutAdmin(caller))) {
    await auditRead(ports, caller, { act: 'get_messages', target: found.message.sender, details: { messageId } });
  }
  const whole = viewMessage(found.message, caller.agentId);
  const tokens = model === undefined ? Number.MAX_SAFE_INTEGER : model.tokensMax - answerFrameTokens;
  const message = cutMessage(whole, tokens, offset);
  const hasMore = message.cut?.next !== undefined;
  return { messages: [message], timedOut: false, waitedMs: 0, hasMore, cursor: null };
}

async function readersOf(
  { store }: ReadOnePorts,
  { agentId, sessionId }: Caller,
  { message, deliveries }: { message: MessageRecord; deliveries: Receipt[] },
): Promise<(reader: Reader) => boolean> {
  const { threadId, sender, seq } = message;
  const thread = threadId === null ? null : await store.readThread({ sessionId, threadId, reader: null });
  const ownCopy = () => deliveries.find(({ recipient }) => recipient === agentId);
  return (reader) => mayRead({ sender, seq, thread, ownCopy }, reader);
}

function messageUnknown(messageId: string): HubError {
  return new HubError('MESSAGE_UNKNOWN', `No message '${messageId}' that you were handed.`, {
    hint: 'Use the id of a message you have sent or received.',
    details: { messageId },
  });
}
