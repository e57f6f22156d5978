// How copies end: they leave the hot table, and their history rows (and dead letters) are written in the same statement.
import type { DeadReason, Why } from '../../../contract/message.js';
import { lanes, type Route } from '../../../message/send/route.js';
import type { SendPlan } from '../../../ports/store.js';
import { tellIfAllHaveRead, tellSenders } from './receipt-notices.js';
import type { SqlValue, Tx } from '../connection/transaction.js';

export type EndState = 'read' | 'expired' | 'dead_lettered';

export interface Ending {
  state: EndState;
  at: number;
  reason: DeadReason | null;
}

export interface EndRecord extends Ending {
  sessionId: string;
  agentId: string;
  seq: number;
  lane: number;
  why: Why;
  attempts: number;
  deliveredAt: number | null;
}

export async function recordEnd(tx: Tx, end: EndRecord): Promise<void> {
  const { sessionId, agentId, seq, lane, why, attempts, deliveredAt, state, at, reason } = end;
  await tx.run(
    `with ended as (
       insert into delivery (session_id, seq, agent_id, state, at, attempts, delivered_at, lane, why, reason)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning session_id, seq, agent_id, reason, at)
     insert into dead_letter (session_id, seq, recipient, reason, at)
     select session_id, seq, agent_id, reason, at from ended where reason is not null`,
    ...[sessionId, seq, agentId, state, at, attempts, deliveredAt, lane, why, reason],
  );
}

/** A copy for which its reader's inbox had no room: dead from the start. */
export async function recordUndelivered(
  tx: Tx,
  { sessionId, at }: Pick<SendPlan, 'sessionId' | 'at'>,
  { seq, id, route: { recipients } }: { seq: number; id: string; route: Pick<Route, 'recipients'> },
): Promise<void> {
  const why = recipients.find((recipient) => recipient.id === id)?.why ?? 'thread';
  const copy = { sessionId, agentId: id, seq, lane: lanes.waking, why, attempts: 0, deliveredAt: null };
  await recordEnd(tx, { ...copy, state: 'dead_lettered', reason: 'INBOX_FULL', at });
}

/** What ends: a select of `endingColumns` from pending as `p` that locks its rows. */
export interface Held {
  sql: string;
  values: SqlValue[];
}

export const endingColumns =
  'p.session_id, p.agent_id, p.lane, p.rank, p.seq, p.why, p.attempts, p.leased_at, p.wants_receipt, p.notice';

interface EndedRow {
  session_id: string;
  agent_id: string;
  lane: number;
  rank: number;
  seq: number;
  why: Why;
  attempts: number;
  leased_at: number | null;
  wants_receipt: number | null;
  notice: string | null;
  /** Who is told of it, where someone is. */
  sender: string | null;
}

export interface EndedCopies {
  /** In inbox order. */
  seqs: number[];
  /** What a digest stood for ends with it. */
  digested: number[];
}

/** Takes the copies out of the hot table and tells whoever asked how they ended. */
export async function endCopies(tx: Tx, held: Held, ending: Ending): Promise<EndedCopies> {
  const { state, at, reason } = ending;
  // uses pending's key, then message's for those whose sender is told
  const rows = await tx.all<EndedRow>(
    `with held as (${held.sql}),
     gone as (
       delete from pending p using held h
       where p.session_id = h.session_id and p.agent_id = h.agent_id and p.lane = h.lane and p.rank = h.rank
         and p.seq = h.seq
       returning h.*),
     ended as (
       insert into delivery (session_id, seq, agent_id, state, at, attempts, delivered_at, lane, why, reason)
       select session_id, seq, agent_id, ?, ?, attempts, leased_at, lane, why, ? from gone),
     dead as (
       insert into dead_letter (session_id, seq, recipient, reason, at)
       select session_id, seq, agent_id, ?, ? from gone where ?::text is not null
       order by session_id, agent_id, lane, rank, seq)
     select gone.*, case when wants_receipt = 1 then (select m.sender from message m
         where m.session_id = gone.session_id and m.seq = gone.seq) end as sender
     from gone order by session_id, agent_id, lane, rank, seq`,
    ...held.values,
    ...[state, at, reason, reason, at, reason],
  );
  await tell(tx, rows, ending);
  const digested: number[] = [];
  for (const row of rows) {
    if (row.notice === 'digest') digested.push(...(await endDigested(tx, row, ending)));
  }
  return { seqs: rows.map(({ seq }) => seq), digested };
}

async function tell(tx: Tx, rows: readonly EndedRow[], ending: Ending): Promise<void> {
  const asked = rows.filter((row) => row.wants_receipt !== null);
  // Not only to write: of two last readers each must see that the other has read.
  for (const { session_id: sessionId } of asked) tx.requireOrder(sessionId);
  for (const row of asked) if (row.wants_receipt === 2) await tellIfAllHaveRead(tx, endOf(row, ending));
  const told = asked.flatMap((row) =>
    row.wants_receipt === 2 || row.sender === null ? [] : [{ sender: row.sender, end: endOf(row, ending) }],
  );
  for (const sessionId of new Set(told.map(({ end }) => end.sessionId))) {
    await tellSenders(
      tx,
      sessionId,
      told.filter(({ end }) => end.sessionId === sessionId),
    );
  }
}

function endOf(row: EndedRow, ending: Ending): EndRecord {
  const { session_id: sessionId, agent_id: agentId, seq, lane, why, attempts, leased_at: deliveredAt } = row;
  return { ...ending, sessionId, agentId, seq, lane, why, attempts, deliveredAt };
}

async function endDigested(tx: Tx, digest: EndedRow, ending: Ending): Promise<number[]> {
  const { session_id: sessionId, agent_id: agentId, seq, attempts, leased_at: leasedAt } = digest;
  // uses pending's key; they were handed out as often as the digest was
  const sql = `select p.session_id, p.agent_id, p.lane, p.rank, p.seq, p.why, ?::integer as attempts,
      ?::bigint as leased_at, p.wants_receipt, p.notice from pending p
    where p.session_id = ? and p.agent_id = ? and p.lane = 0 and p.digest = ? order by p.rank, p.seq for update`;
  const { seqs } = await endCopies(tx, { sql, values: [attempts, leasedAt, sessionId, agentId, seq] }, ending);
  return seqs;
}

/** Everything an agent has not read. Returns how many copies ended. */
export function endCopiesOf(
  tx: Tx,
  { sessionId, agentId, ...ending }: Ending & { sessionId: string; agentId: string },
): Promise<number> {
  // uses pending's key; what a digest stands for ends with it
  const sql = `select ${endingColumns} from pending p where p.session_id = ? and p.agent_id = ? and p.digest is null
    order by p.lane, p.rank, p.seq limit ${stepRows} for update`;
  return endStepwise(tx, { sql, values: [sessionId, agentId] }, ending);
}

/** What a member that left a thread had not been handed: it may not read there any more. */
export function endCopiesInThread(
  tx: Tx,
  { sessionId, agentId, threadId, at }: { sessionId: string; agentId: string; threadId: string; at: number },
): Promise<number> {
  // uses pending's key, then message's
  const sql = `select ${endingColumns} from pending p
    cross join lateral (select thread_id from message where session_id = p.session_id and seq = p.seq offset 0) m
    where p.session_id = ? and p.agent_id = ? and p.lease_token is null and p.digest is null and m.thread_id = ?
    order by p.lane, p.rank, p.seq limit ${stepRows} for update of p`;
  const ending = { at, state: 'dead_lettered', reason: 'RECIPIENT_REMOVED' } as const;
  return endStepwise(tx, { sql, values: [sessionId, agentId, threadId] }, ending);
}

/** Plain posts pile up without a bound, and a statement has only so much time. */
const stepRows = 5_000;

/** Until a step finds fewer than it may end. */
async function endStepwise(tx: Tx, held: Held, ending: Ending): Promise<number> {
  let count = 0;
  for (;;) {
    const { seqs, digested } = await endCopies(tx, held, ending);
    count += seqs.length + digested.length;
    if (seqs.length < stepRows) return count;
  }
}
