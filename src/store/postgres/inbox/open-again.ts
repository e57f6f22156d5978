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
  // uses the keys of agent, delivery and message; the row of the reader is locked, so that it is not removed meanwhile
  const rows = await tx.all<{ seq: number }>(
    // filed: the copies around their places may be
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
     insert into pending (session_id, agent_id, lane, rank, seq, why, attempts, leased_at, expires_at, wants_receipt,
       sender, thread_id, type, target)
     select g.session_id, g.agent_id, g.lane, g.rank, g.seq, g.why, g.attempts, g.delivered_at, g.expires_at, g.receipt,
       m.sender, m.thread_id, m.type, m.target
     from gone g join message m on m.session_id = g.session_id and m.seq = g.seq
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
