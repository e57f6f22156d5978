// Reads the state of every copy of a message. The message lists its recipients, so a missing copy is detected.
import type { Receipt } from '../../../ports/store.js';
import type { MessageRow } from '../../rows/message-row.js';
import { copyMissing, recipientsOf, toReceipt, type CopyStateRow } from '../../rows/receipt-row.js';
import { runNow } from '../../rules/steps.js';
import { findCritical, firstAnswers } from '../../sql/critical-threads.js';
import type { Tx } from '../writer/transaction.js';

export function receiptsOf(tx: Tx, row: MessageRow, now: number): Receipt[] {
  const { seq, at: sentAt } = row;
  const answers = answersTo(tx, row);
  const ended = endedStatesOf(tx, row);
  return recipientsOf(row).map((recipient) => {
    const state = ended.get(recipient) ?? openStateOf(tx, row, recipient);
    if (state === undefined) throw copyMissing(seq, recipient);
    return toReceipt(state, { sentAt, now, answeredAt: answers.get(recipient) ?? null });
  });
}

function endedStatesOf(tx: Tx, { session_id: sessionId, seq }: MessageRow): Map<string, CopyStateRow> {
  // uses message_by_seq, then delivery's key
  const rows = tx.all<CopyStateRow>(
    `select ? as seq, agent_id, state, at, attempts, delivered_at, reason, 0 as isLeased, null as expires_at
     from delivery
     where n = (select n from message where session_id = ? and seq = ?) and session_id = ? order by agent_id`,
    [seq, sessionId, seq, sessionId],
  );
  return new Map(rows.map((row) => [row.agent_id, row]));
}

function openStateOf(
  tx: Tx,
  { session_id: sessionId, rank, seq }: MessageRow,
  recipient: string,
): CopyStateRow | undefined {
  // uses pending's key
  return tx.get<CopyStateRow>(
    `select seq, agent_id, null as state, null as at, attempts, leased_at as delivered_at, null as reason,
       lease_token is not null as isLeased, expires_at from pending
     where session_id = ? and agent_id = ? and lane in (0, 1) and rank = ? and seq = ?`,
    [sessionId, recipient, rank, seq],
  );
}

/** When each recipient of a critical thread's opening first answered; empty for any other message. */
function answersTo(
  tx: Tx,
  { session_id: sessionId, thread_id: threadId, seq, urgent }: MessageRow,
): Map<string, number> {
  const critical =
    threadId === null || urgent !== 1 ? undefined : runNow(findCritical(tx.statements, sessionId, threadId));
  if (threadId === null || critical?.opening !== seq) return new Map();
  return new Map(runNow(firstAnswers(tx.statements, sessionId, threadId)).map(({ agentId, at }) => [agentId, at]));
}
