// Expires copies and ends leases that ran out. Readers ignore expired copies anyway, so a late reaper changes no result.
import type { ReapResult, Returned, Store } from '../../../ports/store.js';
import { afterEnd, type Ending } from '../../rules/end-copies.js';
import { runNow } from '../../rules/steps.js';
import { endRows, pendingColumns, type PendingRow } from './end-copies.js';
import type { Tx } from '../writer/transaction.js';

type LeasedRow = PendingRow & { ran_out: number; is_excused: number | null; expires_at: number | null };

/** Bounded, so that many expiries do not block sends. */
const rowsMax = 1_000;

export function reap(tx: Tx, time: Parameters<Store['reap']>[0]): ReapResult {
  const { now, monotonicNow, runOutsMax } = time;
  const expiresNow = tx.clockJumps.now(now);
  const returned: Returned[] = [];
  let deadLettered = 0;
  // uses pending_by_lease: only manual leases time out; automatic ones end with their connection.
  const ranOut = tx.all<LeasedRow>(
    `select p.ran_out, p.is_excused, p.expires_at, ${pendingColumns} from pending p
     where is_manual = 1 and lease_until <= ? order by lease_until limit ?`,
    [monotonicNow, rowsMax],
  );
  for (const row of ranOut) {
    const times = row.ran_out + (row.is_excused === 1 ? 0 : 1);
    // An expired copy is ended as expired below, however often its lease ran out.
    const isExpired = row.expires_at !== null && row.expires_at <= expiresNow;
    if (times >= runOutsMax && !isExpired) {
      deadLettered += end(tx, [row], { at: now, state: 'dead_lettered', reason: 'ATTEMPTS_EXCEEDED' });
    } else {
      free(tx, row, times);
      if (!isExpired) returned.push({ sessionId: row.session_id, agentId: row.agent_id });
    }
  }
  // uses pending_by_expiry: a leased copy does not expire before its lease ends.
  const expired = tx.all<PendingRow>(
    `select ${pendingColumns} from pending p
     where expires_at is not null and expires_at <= ? and lease_token is null
       and session_id not in (select session_id from import_run) order by expires_at limit ?`,
    [expiresNow, rowsMax],
  );
  end(tx, expired, { at: now, state: 'expired', reason: 'EXPIRED' });
  const deletedKeys = deleteExpiredKeys(tx, now);
  const hasMore = [ranOut.length, expired.length, deletedKeys].some((count) => count >= rowsMax);
  return { expired: expired.length, deadLettered, returned, hasMore };
}

/** Returns how many copies ended, including those behind a digest. */
function end(tx: Tx, rows: readonly PendingRow[], ending: Ending): number {
  const { seqs, digested } = runNow(afterEnd(tx.statements, endRows(tx, rows, ending), ending));
  return seqs.length + digested.length;
}

/** Rows are in order of age, so only the oldest are checked. */
function deleteExpiredKeys(tx: Tx, now: number): number {
  // uses idempotency's row numbers
  const deletedKeys = tx.run(
    `delete from idempotency where n in
       (select n from (select n, expires_at from idempotency order by n limit ?) where expires_at <= ?)`,
    [rowsMax, now],
  );
  if (deletedKeys > 0) tx.memory.forgetAnswers();
  return deletedKeys;
}

function free(tx: Tx, row: PendingRow, times: number): void {
  tx.memory.session(row.session_id)?.forgetNoMail(row.agent_id);
  tx.run(
    `update pending set lease_token = null, lease_until = null, is_manual = null, ran_out = ?
     where session_id = ? and agent_id = ? and lane = ? and rank = ? and seq = ?`,
    [times, row.session_id, row.agent_id, row.lane, row.rank, row.seq],
  );
}

/**
 * At start no connection of an earlier run is left, so its automatic leases are freed at once. Manual leases were timed by
 * that run's monotonic clock and get their full time again. If such a lease then runs out, this does not count towards a
 * dead letter, however often the hub was restarted meanwhile. Pushes that were being sent are due again.
 */
export function freeLeasesOfEarlierRuns(tx: Tx, time: { monotonicNow: number; manualLeaseMs: number }): void {
  // uses pending_by_token, which has only leased copies
  tx.run(
    `update pending indexed by pending_by_token set lease_token = null, lease_until = null, is_manual = null
     where lease_token is not null and is_manual = 0`,
  );
  // uses pending_by_lease
  tx.run(`update pending indexed by pending_by_lease set lease_until = ?, is_excused = 1 where is_manual = 1`, [
    time.monotonicNow + time.manualLeaseMs,
  ]);
  tx.run('update push set due_at = 0, token = null where token is not null');
  // Nobody goes on with these.
  tx.run('update import_run set at = 0');
}
