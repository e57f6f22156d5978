// The texts of receipts: system messages to a sender that asked for one. Pure.
import type { CopyState, DeadReason } from '../../contract/message.js';
import { nameList } from '../../contract/text/name-list.js';
import type { SystemText } from '../send/system-plan.js';

export interface EndedCopy {
  sessionId: string;
  messageId: string;
  sender: string;
  recipient: string;
  state: CopyState;
  reason: DeadReason | null;
  at: number;
}

export function receiptText({ sessionId, sender, at, ...copy }: EndedCopy): SystemText {
  const { messageId, recipient, state, reason } = copy;
  const text =
    state === 'read'
      ? `${recipient} has read your message ${messageId}.`
      : `Your message ${messageId} did not reach ${recipient}: ${reason ?? state}.`;
  const payload = {
    messageId,
    recipient,
    state,
    ...(reason === null ? {} : { reason }),
    at: new Date(at).toISOString(),
  };
  return { sessionId, at, text, target: sender, type: 'ACK', payload };
}

export interface AllRead {
  sessionId: string;
  threadId: string;
  title: string;
  messageId: string;
  opener: string;
  readers: string[];
  at: number;
}

/** Sent once to the opener of a critical thread, when the last responder has read the opening. */
export function allReadText({ sessionId, threadId, title, messageId, opener, readers, at }: AllRead): SystemText {
  return {
    sessionId,
    at,
    target: opener,
    type: 'ACK',
    text: `All have read "${title}" (${threadId}): ${nameList(readers)}.`,
    payload: { threadId, messageId, state: 'read', readers, at: new Date(at).toISOString() },
  };
}
