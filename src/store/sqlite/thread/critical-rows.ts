// Rows of critical threads, and responses joined with the reader's own copy.
import type { ResponsesRequest } from '../../../ports/store.js';
import type { FirstAnswer } from '../../../thread/decide-critical.js';
import { criticalColumns, type NewCriticalThread } from '../../rows/critical-row.js';
import { columnsOf } from '../../rows/message-row.js';
import { receiptKinds } from '../../rows/receipt-row.js';
import { PageBytes } from '../../rows/rows-within.js';
import type { ResponseRow } from '../../rules/statements.js';
import { countedAttempts } from '../inbox/doubtful-copies.js';
import type { Tx } from '../writer/transaction.js';

export function insertCritical(tx: Tx, critical: NewCriticalThread): void {
  const { sessionId, threadId, opener, opening, wanted, required, eligible, deadline } = critical;
  tx.run(`insert into critical_thread (session_id, thread_id, ${criticalColumns}) values (?, ?, ?, ?, ?, ?, ?, ?)`, [
    sessionId,
    threadId,
    opener,
    opening.seq,
    wanted,
    JSON.stringify(required),
    JSON.stringify(eligible),
    deadline,
  ]);
  for (const { id } of opening.recipients) {
    // uses pending's key
    tx.run(
      `update pending set wants_receipt = ?
       where session_id = ? and agent_id = ? and lane in (0, 1) and rank in (0, 1, 2, 3) and seq = ?`,
      [receiptKinds.opening, sessionId, id, opening.seq],
    );
  }
}

export function responseRows(
  tx: Tx,
  { sessionId, reader, now }: ResponsesRequest,
  answers: readonly FirstAnswer[],
): ResponseRow[] {
  const page = new PageBytes();
  const rows: ResponseRow[] = [];
  for (const { seq } of answers) {
    // uses message_by_seq and the keys of pending and delivery
    const row = tx.get<Omit<ResponseRow, 'isFree'> & { isFree: number | null }>(
      `select ${columnsOf('m')}, p.lane, p.why, coalesce(${countedAttempts}, d.attempts) as attempts,
         p.lease_token is null and (p.expires_at is null or p.expires_at > ?) as isFree
       from message m
       left join pending p on p.session_id = m.session_id and p.agent_id = ? and p.lane in (0, 1) and p.rank = m.rank
         and p.seq = m.seq
       left join delivery d on d.n = m.n and d.agent_id = ? and d.session_id = m.session_id
       where m.session_id = ? and m.seq = ?`,
      [tx.clockJumps.now(now), reader, reader, sessionId, seq],
    );
    if (row === undefined) continue;
    if (!page.fits(row)) break;
    rows.push({ ...row, isFree: row.isFree === 1 });
  }
  return rows;
}
