// Where every copy of a message stands. With the list of recipients kept in the message, no copy can go missing unseen.
import type { Receipt, Store } from '../../../ports/store.js';
import type { CopyState, DeadReason } from '../../../contract/message.js';
import { toRecord } from '../../rows/message-row.js';
import { findCritical, firstAnswers } from '../thread/critical-rows.js';
import { findMessage, messageColumns, type MessageRow } from '../history/message-rows.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';

export function receipts(tx: Tx, query: Parameters<Store['receipts']>[0]): Awaited<ReturnType<Store['receipts']>> {
  const { sessionId, messageId, now } = query;
  const row = findMessage(tx, sessionId, messageId);
  if (row === undefined) return null;
  return { message: toRecord(row, findSession(tx, sessionId)?.salt ?? 0), deliveries: receiptsOf(tx, row, now) };
}

export function openingReceipts(tx: Tx, query: Parameters<Store['openingReceipts']>[0]): Receipt[] | null {
  const { sessionId, threadId, now } = query;
  const critical = findCritical(tx, sessionId, threadId);
  if (critical === undefined) return null;
  // uses message_by_seq
  const row = tx.get<MessageRow>(
    `select ${messageColumns} from message where session_id = ? and seq = ?`,
    ...[sessionId, critical.opening],
  );
  return row === undefined ? null : receiptsOf(tx, row, now);
}

export function receiptsOf(tx: Tx, row: MessageRow, now: number): Receipt[] {
  const sessionId = row.session_id;
  const answeredAt = answersTo(tx, row);
  const ended = new Map(
    // uses delivery's key
    tx
      .all<{
        agent_id: string;
        state: CopyState;
        at: number;
        attempts: number;
        delivered_at: number | null;
        reason: DeadReason | null;
      }>(
        `select agent_id, state, at, attempts, delivered_at, reason from delivery where n = ? and session_id = ? order by agent_id`,
        ...[row.n, sessionId],
      )
      .map((end) => [end.agent_id, end]),
  );
  return (JSON.parse(row.recipients) as string[]).map((recipient): Receipt => {
    const end = ended.get(recipient);
    const answered = { answeredAt: answeredAt.get(recipient) ?? null };
    if (end === undefined) {
      const copy = { sessionId, recipient, rank: row.rank, seq: row.seq, sentAt: row.at, now };
      return { ...openReceipt(tx, copy), ...answered };
    }
    const { state, at, attempts, delivered_at: deliveredAt, reason } = end;
    return { recipient, state, at, attempts, deliveredAt, ...answered, reason };
  });
}

/** When each recipient of a critical thread's opening first answered; nothing for any other message. */
function answersTo(
  tx: Tx,
  { session_id: sessionId, thread_id: threadId, seq, urgent }: MessageRow,
): Map<string, number> {
  const critical = threadId === null || urgent !== 1 ? undefined : findCritical(tx, sessionId, threadId);
  if (threadId === null || critical?.opening !== seq) return new Map();
  return new Map(firstAnswers(tx, sessionId, threadId).map(({ agentId, at }) => [agentId, at]));
}

function openReceipt(
  tx: Tx,
  copy: { sessionId: string; recipient: string; rank: number; seq: number; sentAt: number; now: number },
): Omit<Receipt, 'answeredAt'> {
  const row = tx.get<{
    attempts: number;
    lease_token: string | null;
    leased_at: number | null;
    expires_at: number | null;
  }>(
    `select attempts, lease_token, leased_at, expires_at from pending
     where session_id = ? and agent_id = ? and lane in (0, 1) and rank = ? and seq = ?`,
    ...[copy.sessionId, copy.recipient, copy.rank, copy.seq],
  );
  if (row === undefined) throw new Error(`copy ${copy.seq} of ${copy.recipient} is in neither table`);
  const isLeased = row.lease_token !== null;
  // Past its time it is not delivered any more, however late the reaper comes to end it.
  if (!isLeased && row.expires_at !== null && row.expires_at <= copy.now) {
    return {
      ...{ recipient: copy.recipient, state: 'expired', at: row.expires_at, attempts: row.attempts },
      ...{ deliveredAt: row.leased_at, reason: 'EXPIRED' },
    };
  }
  return {
    recipient: copy.recipient,
    state: isLeased ? 'delivered' : 'pending',
    at: isLeased ? (row.leased_at ?? copy.sentAt) : copy.sentAt,
    attempts: row.attempts,
    deliveredAt: row.leased_at,
    reason: null,
  };
}
