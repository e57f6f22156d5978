// Rows of critical threads, and responses joined with the reader's own copy.
import { limits } from '../../../contract/limits.js';
import type { ResponsesRequest } from '../../../ports/store.js';
import type { FirstAnswer } from '../../../thread/decide-critical.js';
import { criticalColumns, type NewCriticalThread } from '../../rows/critical-row.js';
import { columnsOf } from '../../rows/message-row.js';
import { receiptKinds } from '../../rows/receipt-row.js';
import { countWithin, withinSql } from '../../rows/rows-within.js';
import type { ResponseRow } from '../../rules/statements.js';
import { sqlTime, sqlTimeOf } from '../connection/sql-time.js';
import type { Tx } from '../connection/transaction.js';

export async function insertCritical(tx: Tx, critical: NewCriticalThread): Promise<void> {
  const { sessionId, threadId, opener, opening, wanted, required, eligible, deadline } = critical;
  await tx.run(
    `insert into critical_thread (session_id, thread_id, ${criticalColumns}) values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [sessionId, threadId, opener, opening.seq, wanted, JSON.stringify(required), JSON.stringify(eligible), deadline],
  );
  // uses pending's key; no other transaction can see these copies yet
  await tx.run(
    `update pending p set wants_receipt = ${receiptKinds.opening}
     from unnest(?::text[]) r (id) cross join (values (0), (1)) l (lane) cross join (values (0), (1), (2), (3)) k (rank)
     cross join lateral (select ctid as place from pending
       where session_id = ? and agent_id = r.id and lane = l.lane and rank = k.rank and seq = ? offset 0) c
     where p.ctid = c.place and p.session_id = ?`,
    [opening.recipients.map(({ id }) => id), sessionId, opening.seq, sessionId],
  );
}

export async function responseRows(
  tx: Tx,
  { sessionId, reader, now }: ResponsesRequest,
  answers: readonly FirstAnswer[],
): Promise<ResponseRow[]> {
  // uses the keys of message, pending and delivery
  const rows = await tx.all<ResponseRow>(
    withinSql(
      `select ${columnsOf('m')}, p.lane, p.why, coalesce(p.attempts, d.attempts) as attempts,
       p.lease_token is null and (p.expires_at is null or p.expires_at > ${sqlTime}) as "isFree"
     from unnest(?::bigint[]) k (seq)
     join message m on m.session_id = ? and m.seq = k.seq
     left join pending p on p.session_id = m.session_id and p.agent_id = ? and p.lane in (0, 1) and p.rank = m.rank
       and p.seq = m.seq
     left join lateral (select attempts from delivery
       where session_id = m.session_id and seq = m.seq and agent_id = ? offset 0) d on true
     order by m.seq`,
      'q.seq',
    ),
    [sqlTimeOf(tx, now), answers.map(({ seq }) => seq), sessionId, reader, reader, limits.pageBytes],
  );
  return rows.slice(0, countWithin(rows));
}
