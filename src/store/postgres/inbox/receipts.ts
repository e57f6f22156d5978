// Reads the state of every copy of a message. The message lists its recipients, so a missing copy is detected.
import type { Receipt } from '../../../ports/store.js';
import type { MessageRow } from '../../rows/message-row.js';
import { copyMissing, recipientsOf, toReceipt, type CopyStateRow } from '../../rows/receipt-row.js';
import { timeOf } from '../connection/time.js';
import type { Tx } from '../connection/transaction.js';

export async function receiptsOf(tx: Tx, row: MessageRow, now: number): Promise<Receipt[]> {
  return (await receiptsOfAll(tx, [row], now))[0] ?? [];
}

/** Of messages of one session, with the same number of round trips for any number of messages. */
export async function receiptsOfAll(tx: Tx, rows: readonly MessageRow[], now: number): Promise<Receipt[][]> {
  const time = await timeOf(tx, now);
  const answeredAt = await answersTo(tx, rows);
  const states = await copyStatesOf(tx, rows);
  return rows.map((row) =>
    recipientsOf(row).map((recipient): Receipt => {
      const state = states.get(copyKey(row.seq, recipient));
      if (state === undefined) throw copyMissing(row.seq, recipient);
      const answered = answeredAt.get(copyKey(row.seq, recipient)) ?? null;
      return toReceipt(state, { sentAt: row.at, now: time, answeredAt: answered });
    }),
  );
}

function copyKey(seq: number, agentId: string): string {
  return `${seq} ${agentId}`;
}

/** In one statement, so that a copy that is ending is seen exactly once. */
async function copyStatesOf(tx: Tx, rows: readonly MessageRow[]): Promise<Map<string, CopyStateRow>> {
  const sessionId = rows[0]?.session_id ?? '';
  const copies = rows.flatMap((row) => recipientsOf(row).map((id) => ({ id, seq: row.seq, rank: row.rank })));
  // uses the keys of delivery and, once per copy, pending
  const found = await tx.all<CopyStateRow>(
    `select seq, agent_id, state, at, attempts, delivered_at, reason, false as "isLeased", null::bigint as expires_at
     from delivery where session_id = ? and seq = any(?::bigint[])
     union all
     select c.seq, p.agent_id, null, null, p.attempts, p.leased_at, null, p.lease_token is not null, p.expires_at
     from unnest(?::text[], ?::integer[], ?::bigint[]) c (id, rank, seq) cross join (values (0), (1)) l (lane)
     cross join lateral (select agent_id, attempts, leased_at, lease_token, expires_at from pending
       where session_id = ? and agent_id = c.id and lane = l.lane and rank = c.rank and seq = c.seq offset 0) p`,
    [
      sessionId,
      rows.map(({ seq }) => seq),
      copies.map(({ id }) => id),
      copies.map(({ rank }) => rank),
      copies.map(({ seq }) => seq),
      sessionId,
    ],
  );
  return new Map(found.map((state) => [copyKey(state.seq, state.agent_id), state]));
}

/** When each recipient of a critical thread's opening first answered; empty for any other message. */
async function answersTo(tx: Tx, rows: readonly MessageRow[]): Promise<Map<string, number>> {
  const threadIds = rows.flatMap(({ thread_id: id, urgent }) => (id !== null && urgent === 1 ? [id] : []));
  if (threadIds.length === 0) return new Map();
  const sessionId = rows[0]?.session_id ?? '';
  // uses the keys of critical_thread and critical_answer
  const answers = await tx.all<{ opening: number; agent_id: string; at: number }>(
    `select c.opening, a.agent_id, a.at from critical_thread c
     join critical_answer a on a.session_id = c.session_id and a.thread_id = c.thread_id
     where c.session_id = ? and c.thread_id = any(?::text[]) and c.opening = any(?::bigint[])
     order by a.seq limit 100000`,
    [sessionId, [...new Set(threadIds)], rows.map(({ seq }) => seq)],
  );
  return new Map(answers.map(({ opening, agent_id, at }) => [copyKey(opening, agent_id), at]));
}
