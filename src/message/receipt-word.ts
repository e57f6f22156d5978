// What a sender that asked for a receipt is told when a copy of its message ends. Pure.
import type { CopyState, DeadReason } from '../contract/message.js';
import type { SystemWord } from './system-plan.js';

export interface EndedCopy {
  sessionId: string;
  messageId: string;
  sender: string;
  recipient: string;
  state: CopyState;
  reason: DeadReason | null;
  at: number;
}

export function receiptWord({ sessionId, sender, at, ...copy }: EndedCopy): SystemWord {
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
