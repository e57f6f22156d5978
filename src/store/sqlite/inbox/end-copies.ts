// Ends a copy: moves it from pending to delivery and writes the dead letter, if any, in the same transaction.
import type { Why } from '../../../contract/message.js';
import { lanes } from '../../../message/send/route.js';
import { receiptKinds } from '../../rows/receipt-row.js';
import { endedPerStep, type EndedCopy, type Ending, type EndRecord } from '../../rules/end-copies.js';
import type { CopySelection } from '../../rules/statements.js';
import type { SqlValue } from '../writer/driver.js';
import type { Tx } from '../writer/transaction.js';

export interface PendingRow {
  session_id: string;
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

export const pendingColumns =
  'p.session_id, p.agent_id, p.lane, p.rank, p.seq, p.n, p.why, p.attempts, p.leased_at, p.wants_receipt, p.notice';

export function recordEnd(tx: Tx, end: EndRecord & { n: number }): void {
  const { n, agentId, sessionId, state, at, attempts, deliveredAt, lane, why, reason } = end;
  tx.run(
    `insert into delivery (n, agent_id, session_id, state, at, attempts, delivered_at, lane, why, reason)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [n, agentId, sessionId, state, at, attempts, deliveredAt, lane, why, reason],
  );
  if (reason === null) return;
  tx.run('insert into dead_letter (session_id, seq, recipient, reason, at) values (?, ?, ?, ?, ?)', [
    sessionId,
    end.seq,
    agentId,
    reason,
    at,
  ]);
}

export function endCopies(tx: Tx, selection: CopySelection, ending: Ending): EndedCopy[] {
  return endRows(tx, selectedRows(tx, selection), ending);
}

function selectedRows(tx: Tx, selection: CopySelection): PendingRow[] {
  if (selection.kind === 'lease') return leasedRows(tx, selection.lease);
  const inInbox = (where: string, values: SqlValue[], limit = endedPerStep) =>
    // uses pending's key; for a thread also message by its row number
    tx.all<PendingRow>(
      `select ${pendingColumns} from pending p where p.session_id = ? and p.agent_id = ? and ${where}
       order by p.lane, p.rank, p.seq limit ?`,
      [...values, limit],
    );
  if (selection.kind === 'digest') {
    const { sessionId, agentId, seq, attempts, deliveredAt } = selection.digest;
    const rows = inInbox('p.lane = 0 and p.digest = ?', [sessionId, agentId, seq]);
    // They were delivered as often as the digest was.
    return rows.map((row) => ({ ...row, attempts, leased_at: deliveredAt }));
  }
  const { sessionId, agentId } = selection.inbox;
  // The copies behind a digest end with it.
  if (selection.kind === 'inbox') {
    return inInbox('p.digest is null and p.seq <= ?', [sessionId, agentId, selection.upTo], selection.limit);
  }
  return inInbox(
    `p.lease_token is null and p.digest is null and exists
       (select 1 from message m where m.n = p.n and m.session_id = p.session_id and m.thread_id = ?)`,
    [sessionId, agentId, selection.threadId],
  );
}

/** The copies still held by this token. */
export function leasedRows(
  tx: Tx,
  { sessionId, agentId, token, keys }: Extract<CopySelection, { kind: 'lease' }>['lease'],
): PendingRow[] {
  return keys.flatMap(({ lane, rank, seq }) => {
    // uses pending's key
    const row = tx.get<PendingRow>(
      `select ${pendingColumns} from pending p
       where p.session_id = ? and p.agent_id = ? and p.lane = ? and p.rank = ? and p.seq = ? and p.lease_token = ?`,
      [sessionId, agentId, lane, rank, seq, token],
    );
    return row === undefined ? [] : [row];
  });
}

/** The caller must have read these rows in the same transaction. */
export function endRows(tx: Tx, rows: readonly PendingRow[], ending: Ending): EndedCopy[] {
  return rows.flatMap((row): EndedCopy[] => {
    const { session_id: sessionId, agent_id: agentId, lane, rank, seq, n, why, attempts } = row;
    const { leased_at: deliveredAt, wants_receipt: wantsReceipt } = row;
    const deleted = tx.run(
      'delete from pending where session_id = ? and agent_id = ? and lane = ? and rank = ? and seq = ?',
      [sessionId, agentId, lane, rank, seq],
    );
    // Already ended with its digest.
    if (deleted === 0) return [];
    recordEnd(tx, { ...ending, sessionId, agentId, n, seq, lane, why, attempts, deliveredAt });
    if (lane === lanes.waking) tx.memory.session(sessionId)?.copyRemoved(agentId);
    const sender = wantsReceipt === receiptKinds.copy ? senderOf(tx, sessionId, n) : null;
    const isDigest = row.notice === 'digest';
    return [{ sessionId, agentId, seq, why, attempts, deliveredAt, wantsReceipt, isDigest, sender }];
  });
}

function senderOf(tx: Tx, sessionId: string, n: number): string | null {
  // uses message by its row number
  const row = tx.get<{ sender: string }>('select sender from message where n = ? and session_id = ?', [n, sessionId]);
  return row?.sender ?? null;
}
