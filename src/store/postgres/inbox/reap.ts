// Expires copies and ends leases that ran out, in all sessions. Readers ignore expired copies anyway, so a late reaper
// changes no result. Rows that others have locked are left for the next run.
import type { ReapResult, Returned, Store } from '../../../ports/store.js';
import { afterEnd, type EndedSeqs, type Ending } from '../../rules/end-copies.js';
import { runAwaited } from '../../rules/steps.js';
import { endLocked, endingColumns, type LockedCopies } from './end-copies.js';
import { lockOrder } from '../session/sessions.js';
import { timeOf } from '../connection/time.js';
import type { Tx } from '../connection/transaction.js';

/** Bounded, so that many expiries do not block sends. */
const rowsMax = 1_000;
/** Sessions whose order is locked together; nobody can send there meanwhile. */
const sessionsMax = 20;
/** Much longer than any call waits for the outcome of its commit. */
const marksKeptMs = 600_000;

interface Reaping {
  /** The time that is recorded and shown. */
  at: number;
  /** The time that leases and expiries are compared with. */
  time: number;
  runOutsMax: number;
  /** Sessions whose order lock is held: only there may receipts be written. */
  locked: string[];
}

export async function reap(
  tx: Tx,
  { now, runOutsMax }: Pick<Parameters<Store['reap']>[0], 'now' | 'runOutsMax'>,
): Promise<ReapResult> {
  const time = await timeOf(tx, now);
  const locked = await lockOrders(tx, time, runOutsMax);
  const reaping = { at: now, time, runOutsMax, locked };
  const dead = await endRanOut(tx, reaping);
  const freed = await freeRanOut(tx, reaping);
  const expired = await endExpired(tx, reaping);
  const deletedKeys = await deleteExpiredKeys(tx, time);
  const deletedMarks = await deleteOldMarks(tx);
  const counts = [dead.seqs.length, freed.length, expired.seqs.length, deletedKeys, deletedMarks];
  return {
    expired: expired.seqs.length,
    deadLettered: dead.seqs.length + dead.digested.length,
    returned: freed.flatMap(({ isPast, ...returned }) => (isPast ? [] : [returned])),
    hasMore: locked.length >= sessionsMax || counts.some((count) => count >= rowsMax),
  };
}

// Parameters: the time, how often a lease may run out, the time.
const hasRunOutForGood = `lease_until <= ? and is_manual = 1 and ran_out + 1 >= ?
  and (expires_at is null or expires_at > ?)`;

/** Not of an import whose session is not there yet. */
const isThere = 'session_id not in (select session_id from import_run)';

/**
 * Locks the order of the sessions in which receipts are due. Before any copy is locked: holders of an order lock may wait
 * for a copy, so waiting in the other direction could deadlock.
 */
async function lockOrders(tx: Tx, time: number, runOutsMax: number): Promise<string[]> {
  // uses pending_by_lease and pending_by_expiry
  const rows = await tx.all<{ id: string }>(
    `/* all sessions: ends that will be told */ select distinct session_id as id from (
       (select session_id from pending where wants_receipt is not null and ${hasRunOutForGood} limit ?)
       union all
       (select session_id from pending where wants_receipt is not null and expires_at <= ? and ${isThere}
          and (lease_token is null or lease_until <= ?) limit ?)) due
     order by id limit ?`,
    [time, runOutsMax, time, rowsMax, time, time, rowsMax, sessionsMax],
  );
  const sessions = rows.map(({ id }) => id);
  for (const sessionId of sessions) {
    if (!tx.holdsOrder(sessionId)) await lockOrder(tx, sessionId);
  }
  return sessions;
}

const mayReport = '(p.wants_receipt is null or p.session_id = any(?::text[]))';

/** Only expired manual leases count towards a dead letter. */
async function endRanOut(tx: Tx, { at, time, runOutsMax, locked }: Reaping): Promise<EndedSeqs> {
  // uses pending_by_lease
  const sql = `/* all sessions: leases that ran out for good */ select ${endingColumns} from pending p where ${hasRunOutForGood} and ${mayReport}
    order by p.lease_until limit ? for update skip locked`;
  const values = [time, runOutsMax, time, locked, rowsMax];
  return end(tx, { sql, values }, { at, state: 'dead_lettered', reason: 'ATTEMPTS_EXCEEDED' });
}

/** An automatic lease ends with its connection; one that ran out belongs to a hub that died. */
async function freeRanOut(tx: Tx, { time, runOutsMax }: Reaping): Promise<(Returned & { isPast: boolean })[]> {
  // uses pending_by_lease, then pending's key; an expired copy is ended as expired below, however often its lease ran out
  return tx.all<Returned & { isPast: boolean }>(
    `/* all sessions: leases that ran out */ with out as (
       select session_id, agent_id, lane, rank, seq from pending
       where lease_until <= ? and not (${hasRunOutForGood}) order by lease_until limit ? for update skip locked)
     update pending p set lease_token = null, lease_until = null, is_manual = null, ran_out = p.ran_out + p.is_manual
     from out o where p.session_id = o.session_id and p.agent_id = o.agent_id and p.lane = o.lane
       and p.rank = o.rank and p.seq = o.seq
     returning p.session_id as "sessionId", p.agent_id as "agentId", coalesce(p.expires_at <= ?, false) as "isPast"`,
    [time, time, runOutsMax, time, rowsMax, time],
  );
}

/** A leased copy does not expire before its lease ends. */
async function endExpired(tx: Tx, { at, time, locked }: Reaping): Promise<EndedSeqs> {
  // uses pending_by_expiry
  const sql = `/* all sessions: copies past their time */ select ${endingColumns} from pending p
    where p.expires_at <= ? and p.lease_token is null and ${isThere} and ${mayReport}
    order by p.expires_at limit ? for update skip locked`;
  return end(tx, { sql, values: [time, locked, rowsMax] }, { at, state: 'expired', reason: 'EXPIRED' });
}

async function end(tx: Tx, held: LockedCopies, ending: Ending): Promise<EndedSeqs> {
  return runAwaited(afterEnd(tx.statements, await endLocked(tx, held, ending), ending));
}

async function deleteExpiredKeys(tx: Tx, time: number): Promise<number> {
  // uses idempotency_by_expiry, then its key
  return tx.run(
    `/* all sessions: keys whose day is over */ with old as (
       select session_id, sender, key from idempotency where expires_at <= ?
       order by expires_at limit ? for update skip locked)
     delete from idempotency i using old o
     where i.session_id = o.session_id and i.sender = o.sender and i.key = o.key`,
    [time, rowsMax],
  );
}

/** Nobody resolves the outcome of those commits any more. By the database's time, by which they were written. */
async function deleteOldMarks(tx: Tx): Promise<number> {
  // uses commit_mark_by_time, then its key
  return tx.run(
    `with old as (
       select origin from commit_mark where at <= hub_time() - ? order by at limit ? for update skip locked)
     delete from commit_mark c using old o where c.origin = o.origin`,
    [marksKeptMs, rowsMax],
  );
}
