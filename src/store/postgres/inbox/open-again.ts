// Reopens ended copies at their old positions: the only way from history back into an inbox.
import { asksForReceipt } from '../../rows/message-row.js';
import { receiptKinds } from '../../rows/receipt-row.js';
import type { Inbox, ReopenedCopy } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';

/** SQL test whether message `m` opened a critical thread. Uses critical_thread's key. */
export const isOpening = `exists (select 1 from critical_thread t
  where t.session_id = m.session_id and t.thread_id = m.thread_id and t.opening = m.seq)`;

/** The `pending.wants_receipt` that a copy had. Not computed in SQL, because jsonb rejects some valid payloads. */
export function wantsReceiptAgain(message: { extras: string | null; isOpening: boolean }): number | null {
  if (asksForReceipt(message)) return receiptKinds.copy;
  return message.isOpening ? receiptKinds.opening : null;
}

// Encode null in a list of numbers.
const noTime = -1;
const noReceipt = 0;

export async function reopenCopies(
  tx: Tx,
  { sessionId, agentId }: Inbox,
  copies: readonly ReopenedCopy[],
): Promise<number[]> {
  if (copies.length === 0) return [];
  // uses the keys of agent and delivery; the row of the reader is locked, so that it is not removed meanwhile
  const rows = await tx.all<{ seq: number }>(
    `with reader as (select id from agent where session_id = ? and id = ? for key share),
     copy as (
       select lane, rank, seq, nullif(expires_at, ${noTime}) as expires_at, nullif(receipt, ${noReceipt}) as receipt
       from unnest(?::integer[], ?::integer[], ?::bigint[], ?::bigint[], ?::integer[])
         as c (lane, rank, seq, expires_at, receipt)),
     gone as (
       delete from delivery d using copy c, reader r
       where d.session_id = ? and d.seq = c.seq and d.agent_id = r.id
       returning d.session_id, d.agent_id, c.lane, c.rank, d.seq, d.why, d.attempts, d.delivered_at, c.expires_at,
         c.receipt)
     insert into pending (session_id, agent_id, lane, rank, seq, why, attempts, leased_at, expires_at, wants_receipt)
     select session_id, agent_id, lane, rank, seq, why, attempts, delivered_at, expires_at, receipt from gone
     returning seq`,
    [
      sessionId,
      agentId,
      copies.map(({ key }) => key.lane),
      copies.map(({ key }) => key.rank),
      copies.map(({ key }) => key.seq),
      copies.map(({ expiresAt }) => expiresAt ?? noTime),
      copies.map(({ wantsReceipt }) => wantsReceipt ?? noReceipt),
      sessionId,
    ],
  );
  return rows.map(({ seq }) => seq);
}
