// get_messages with messageId: reads one message again, from an offset in its text. Changes nothing.
import { cutMessage } from '../../contract/budget/cut-message.js';
import { answerFrameTokens } from '../../contract/budget/message-tokens.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { HubError } from '../../contract/errors.js';
import type { getMessages as contract } from '../../contract/operations/get-messages.js';
import type { InputOf } from '../../contract/operation.js';
import { readerOf, type Caller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { MessageRecord, Receipt, Store } from '../../ports/store.js';
import { mayRead } from '../history/decide-reading.js';
import type { HandedOut } from './hand-out.js';
import { viewMessage } from './view.js';

export interface ReadOnePorts {
  store: Pick<Store, 'receipts' | 'readThread'>;
  clock: Clock;
}

export async function readOneMessage(
  ports: ReadOnePorts,
  caller: Caller,
  { input, model }: { input: InputOf<typeof contract>; model: ModelReader | undefined },
): Promise<HandedOut> {
  const { messageId = '', offset } = input;
  const found = await ports.store.receipts({ sessionId: caller.sessionId, messageId, now: ports.clock.now() });
  if (found === null || !(await mayReadAgain(ports, caller, found))) throw messageUnknown(messageId);
  const whole = viewMessage(found.message, caller.agentId);
  const tokens = model === undefined ? Number.MAX_SAFE_INTEGER : model.tokensMax - answerFrameTokens;
  const message = cutMessage(whole, tokens, offset);
  const hasMore = message.cut?.next !== undefined;
  return { messages: [message], timedOut: false, waitedMs: 0, hasMore, cursor: null };
}

async function mayReadAgain(
  { store }: ReadOnePorts,
  caller: Caller,
  { message, deliveries }: { message: MessageRecord; deliveries: Receipt[] },
): Promise<boolean> {
  const { agentId, sessionId } = caller;
  const { threadId, sender, seq } = message;
  const thread = threadId === null ? null : await store.readThread({ sessionId, threadId, reader: null });
  const ownCopy = () => deliveries.find(({ recipient }) => recipient === agentId);
  return mayRead({ sender, seq, thread, ownCopy }, readerOf(caller));
}

function messageUnknown(messageId: string): HubError {
  return new HubError('MESSAGE_UNKNOWN', `No message '${messageId}' that you were handed.`, {
    hint: 'Use the id of a message you have sent or received.',
    details: { messageId },
  });
}
