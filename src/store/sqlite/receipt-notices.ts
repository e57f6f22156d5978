// Tells a sender that asked for it how a copy ended, in the same transaction.
import { messageIdOf } from '../../contract/ids.js';
import { receiptWord } from '../../message/receipt-word.js';
import { systemPlan } from '../../message/system-plan.js';
import { isRegistered } from './agents-known.js';
import type { EndRecord } from './end-copies.js';
import { hasRoom } from './inbox-room.js';
import { insertMessage, noReply } from './insert-message.js';
import { findSession } from './sessions.js';
import type { Tx } from './transaction.js';

export function tellSender(tx: Tx, { sessionId, agentId, n, seq, state, reason, at }: EndRecord): void {
  // uses message by its row number
  const message = tx.get<{ sender: string }>('select sender from message where n = ? and session_id = ?', n, sessionId);
  const session = findSession(tx, sessionId);
  if (message === undefined || session === undefined) return;
  const { sender } = message;
  if (!isRegistered(tx, sessionId, sender) || !hasRoom(tx, sessionId, sender)) return;
  const messageId = messageIdOf(seq, session.salt);
  const plan = systemPlan(receiptWord({ sessionId, messageId, sender, recipient: agentId, state, reason, at }));
  const route = {
    threadId: null,
    recipients: [{ id: sender, why: 'system' as const, isWaking: true }],
    mentions: [],
    droppedMentions: [],
    urgent: true,
    isToOne: true,
  };
  const { appended } = insertMessage(tx, plan, route, { sender: undefined, ...noReply });
  tx.notices.push({ sessionId, appended });
}
