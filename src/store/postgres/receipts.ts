// Where every copy of a message stands. With the list of recipients kept in the message, no copy can go missing unseen.
import type { CopyState, DeadReason } from '../../contract/message.js';
import type { Receipt, Store } from '../../ports/store.js';
import { messageColumns, toRecord, type MessageRow } from '../rows/message-row.js';
import { findCritical } from './critical-rows.js';
import { findMessage } from './message-rows.js';
import { findSession } from './sessions.js';
import { timeOf } from './time.js';
import type { Tx } from './transaction.js';

export async function receipts(
  tx: Tx,
  query: Parameters<Store['receipts']>[0],
): Promise<Awaited<ReturnType<Store['receipts']>>> {
  const { sessionId, messageId, now } = query;
  const row = await findMessage(tx, sessionId, messageId);
  if (row === undefined) return null;
  const salt = (await findSession(tx, sessionId))?.salt ?? 0;
  return { message: toRecord(row, salt), deliveries: await receiptsOf(tx, row, now) };
}

export async function openingReceipts(
  tx: Tx,
  query: Parameters<Store['openingReceipts']>[0],
): Promise<Receipt[] | null> {
  const { sessionId, threadId, now } = query;
  const critical = await findCritical(tx, sessionId, threadId);
  if (critical === undefined) return null;
  // uses message's key
  const row = await tx.get<MessageRow>(
    `select ${messageColumns} from message where session_id = ? and seq = ?`,
    ...[sessionId, critical.opening],
  );
  return row === undefined ? null : receiptsOf(tx, row, now);
}

/** `state` is null where the copy is open. */
interface StandingRow {
  agent_id: string;
  state: CopyState | null;
  at: number | null;
  attempts: number;
  delivered_at: number | null;
  reason: DeadReason | null;
  isLeased: boolean;
  expires_at: number | null;
}

export async function receiptsOf(tx: Tx, row: MessageRow, now: number): Promise<Receipt[]> {
  const time = await timeOf(tx, now);
  const recipients = JSON.parse(row.recipients) as string[];
  const answeredAt = await answersTo(tx, row);
  const standings = await standingsOf(tx, row, recipients);
  return recipients.map((recipient): Receipt => {
    const standing = standings.get(recipient);
    if (standing === undefined) throw new Error(`copy ${row.seq} of ${recipient} is in neither table`);
    return { ...toReceipt(standing, row.at, time), answeredAt: answeredAt.get(recipient) ?? null };
  });
}

/** In one statement, so that a copy that is just ending is seen once. */
async function standingsOf(tx: Tx, row: MessageRow, recipients: string[]): Promise<Map<string, StandingRow>> {
  const { session_id: sessionId, rank, seq } = row;
  // uses the keys of delivery and, once per recipient, pending
  const rows = await tx.all<StandingRow>(
    `select agent_id, state, at, attempts, delivered_at, reason, false as "isLeased", null::bigint as expires_at
     from delivery where session_id = ? and seq = ?
     union all
     select p.agent_id, null, null, p.attempts, p.leased_at, null, p.lease_token is not null, p.expires_at
     from unnest(?::text[]) r (id)
     cross join lateral (select agent_id, attempts, leased_at, lease_token, expires_at from pending
       where session_id = ? and agent_id = r.id and lane in (0, 1) and rank = ? and seq = ? limit 1) p`,
    ...[sessionId, seq, recipients, sessionId, rank, seq],
  );
  return new Map(rows.map((standing) => [standing.agent_id, standing]));
}

/** When each recipient of a critical thread's opening first answered; nothing for any other message. */
async function answersTo(
  tx: Tx,
  { session_id: sessionId, thread_id: threadId, seq, urgent }: MessageRow,
): Promise<Map<string, number>> {
  if (threadId === null || urgent !== 1) return new Map();
  // uses the keys of critical_thread and critical_answer
  const rows = await tx.all<{ agent_id: string; at: number }>(
    `select a.agent_id, a.at from critical_thread c
     join critical_answer a on a.session_id = c.session_id and a.thread_id = c.thread_id
     where c.session_id = ? and c.thread_id = ? and c.opening = ? order by a.seq limit 100000`,
    ...[sessionId, threadId, seq],
  );
  return new Map(rows.map(({ agent_id, at }) => [agent_id, at]));
}

function toReceipt(standing: StandingRow, sentAt: number, now: number): Omit<Receipt, 'answeredAt'> {
  const { agent_id: recipient, state, at, attempts, delivered_at: deliveredAt, reason } = standing;
  if (state !== null) return { recipient, state, at: at ?? sentAt, attempts, deliveredAt, reason };
  const { isLeased, expires_at: expiresAt } = standing;
  // Past its time it is not delivered any more, however late the reaper comes to end it.
  if (!isLeased && expiresAt !== null && expiresAt <= now) {
    return { recipient, state: 'expired', at: expiresAt, attempts, deliveredAt, reason: 'EXPIRED' };
  }
  return {
    recipient,
    state: isLeased ? 'delivered' : 'pending',
    at: isLeased ? (deliveredAt ?? sentAt) : sentAt,
    attempts,
    deliveredAt,
    reason: null,
  };
}
