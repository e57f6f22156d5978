// How a copy ends: it leaves the hot table, and its history row (and dead letter) is written in the same transaction.
import type { DeadReason, Why } from '../../../contract/message.js';
import { lanes, type Route } from '../../../message/send/route.js';
import type { SendPlan } from '../../../ports/store.js';
import { tellIfAllHaveRead, tellSender } from './receipt-notices.js';
import type { Tx } from '../writer/transaction.js';

export type EndState = 'read' | 'expired' | 'dead_lettered';

export interface PendingRow {
  agent_id: string;
  lane: number;
  rank: number;
  seq: number;
  n: number;
  why: Why;
  attempts: number;
  leased_at: number | null;
  wants_receipt: number | null;
  notice: string | null;
}

export const pendingColumns = 'agent_id, lane, rank, seq, n, why, attempts, leased_at, wants_receipt, notice';

export interface Ending {
  sessionId: string;
  state: EndState;
  at: number;
  reason: DeadReason | null;
}

export interface EndRecord extends Ending {
  agentId: string;
  n: number;
  seq: number;
  lane: number;
  why: Why;
  attempts: number;
  deliveredAt: number | null;
}

export function recordEnd(tx: Tx, end: EndRecord): void {
  tx.run(
    `insert into delivery (n, agent_id, session_id, state, at, attempts, delivered_at, lane, why, reason)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[
      end.n,
      end.agentId,
      end.sessionId,
      end.state,
      end.at,
      end.attempts,
      end.deliveredAt,
      end.lane,
      end.why,
      end.reason,
    ],
  );
  if (end.state === 'read' || end.reason === null) return;
  tx.run(
    'insert into dead_letter (session_id, seq, recipient, reason, at) values (?, ?, ?, ?, ?)',
    ...[end.sessionId, end.seq, end.agentId, end.reason, end.at],
  );
}

/** A copy for which its reader's inbox had no room: dead from the start. */
export function recordUndelivered(
  tx: Tx,
  { sessionId, at }: Pick<SendPlan, 'sessionId' | 'at'>,
  { n, seq, id, route: { recipients } }: { n: number; seq: number; id: string; route: Pick<Route, 'recipients'> },
): void {
  const why = recipients.find((recipient) => recipient.id === id)?.why ?? 'thread';
  const copy = { sessionId, agentId: id, n, seq, lane: lanes.waking, why, attempts: 0, deliveredAt: null };
  recordEnd(tx, { ...copy, state: 'dead_lettered', reason: 'INBOX_FULL', at });
}

/**
 * Takes the copy out of the hot table; the caller has just read this row in the same transaction. What a digest stands
 * for ends with it. Returns the seqs that ended.
 */
export function endCopy(tx: Tx, row: PendingRow, ending: Ending): number[] {
  const deleted = tx.run(
    'delete from pending where session_id = ? and agent_id = ? and lane = ? and rank = ? and seq = ?',
    ...[ending.sessionId, row.agent_id, row.lane, row.rank, row.seq],
  );
  // Ended just before, with its digest.
  if (deleted === 0) return [];
  const { agent_id: agentId, n, seq, lane, why, attempts, leased_at: deliveredAt } = row;
  const ended = { ...ending, agentId, n, seq, lane, why, attempts, deliveredAt };
  recordEnd(tx, ended);
  if (lane === lanes.waking) tx.memory.session(ending.sessionId)?.mailHasGone(agentId);
  if (row.wants_receipt === 1) tellSender(tx, ended);
  if (row.wants_receipt === 2) tellIfAllHaveRead(tx, ended);
  return row.notice === 'digest' ? [seq, ...endDigested(tx, row, ending)] : [seq];
}

function endDigested(tx: Tx, digest: PendingRow, ending: Ending): number[] {
  // uses pending's key
  const rows = tx.all<PendingRow>(
    `select ${pendingColumns} from pending where session_id = ? and agent_id = ? and lane = 0 and digest = ?
     order by rank, seq`,
    ...[ending.sessionId, digest.agent_id, digest.seq],
  );
  const { attempts, leased_at } = digest;
  return rows.flatMap((row) => endCopy(tx, { ...row, attempts, leased_at }, ending));
}

/** Everything an agent has not read. Returns how many copies ended. */
export function endCopiesOf(tx: Tx, { agentId, ...ending }: Ending & { agentId: string }): number {
  // uses pending's key
  const rows = tx.all<PendingRow>(
    `select ${pendingColumns} from pending where session_id = ? and agent_id = ? order by lane, rank, seq`,
    ...[ending.sessionId, agentId],
  );
  return rows.flatMap((row) => endCopy(tx, row, ending)).length;
}

/** What a member that left a thread had not been handed: it may not read there any more. */
export function endCopiesInThread(
  tx: Tx,
  { sessionId, agentId, threadId, at }: { sessionId: string; agentId: string; threadId: string; at: number },
): number {
  // uses pending's key, then message by its row number
  const rows = tx.all<PendingRow>(
    `select p.agent_id, p.lane, p.rank, p.seq, p.n, p.why, p.attempts, p.leased_at, p.wants_receipt, p.notice
     from pending p join message m on m.n = p.n
     where p.session_id = ? and p.agent_id = ? and p.lease_token is null and p.digest is null
       and m.session_id = p.session_id and m.thread_id = ?
     order by p.lane, p.rank, p.seq`,
    ...[sessionId, agentId, threadId],
  );
  const ending = { sessionId, at, state: 'dead_lettered', reason: 'RECIPIENT_REMOVED' } as const;
  return rows.flatMap((row) => endCopy(tx, row, ending)).length;
}
