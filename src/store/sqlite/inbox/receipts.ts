// Where every copy of a message stands. With the list of recipients kept in the message, no copy can go missing unseen.
import type { Receipt, Store } from '../../../ports/store.js';
import { toRecord } from '../../rows/message-row.js';
import { neitherTable, recipientsOf, toReceipt, type StandingRow } from '../../rows/receipt-row.js';
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
  const row = tx.get<MessageRow>(`select ${messageColumns} from message where session_id = ? and seq = ?`, [
    sessionId,
    critical.opening,
  ]);
  return row === undefined ? null : receiptsOf(tx, row, now);
}

export function receiptsOf(tx: Tx, row: MessageRow, now: number): Receipt[] {
  const { seq, at: sentAt } = row;
  const answers = answersTo(tx, row);
  const standings = standingsOf(tx, row);
  return recipientsOf(row).map((recipient) => {
    const standing = standings.get(recipient) ?? openStanding(tx, row, recipient);
    if (standing === undefined) throw neitherTable(seq, recipient);
    return toReceipt(standing, { sentAt, now, answeredAt: answers.get(recipient) ?? null });
  });
}

/** Of the copies that have ended. */
function standingsOf(tx: Tx, { session_id: sessionId, seq, n }: MessageRow): Map<string, StandingRow> {
  // uses delivery's key
  const rows = tx.all<StandingRow>(
    `select ? as seq, agent_id, state, at, attempts, delivered_at, reason, 0 as isLeased, null as expires_at
     from delivery where n = ? and session_id = ? order by agent_id`,
    [seq, n, sessionId],
  );
  return new Map(rows.map((row) => [row.agent_id, row]));
}

function openStanding(
  tx: Tx,
  { session_id: sessionId, rank, seq }: MessageRow,
  recipient: string,
): StandingRow | undefined {
  // uses pending's key
  return tx.get<StandingRow>(
    `select seq, agent_id, null as state, null as at, attempts, leased_at as delivered_at, null as reason,
       lease_token is not null as isLeased, expires_at from pending
     where session_id = ? and agent_id = ? and lane in (0, 1) and rank = ? and seq = ?`,
    [sessionId, recipient, rank, seq],
  );
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
