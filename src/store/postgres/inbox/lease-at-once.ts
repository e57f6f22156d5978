// The common lease in one statement and one commit: finds, locks and leases the copies together. If more is needed, such as
// a digest, or if others have locked the copies, it leases nothing, and the rule in rules/leases.ts takes over.
import { lanes } from '../../../message/send/route.js';
import { isUnfiltered } from '../../../notify/digest.js';
import type { HandedCopies, LeaseRequest } from '../../../ports/store.js';
import { copiesWithin } from '../../rows/copies-within.js';
import { releaseLease } from './leases.js';
import { freeCopiesInLane, lanesOf, unreadMax, unreadSql, type SaltedCopy } from './read-inbox.js';
import { sqlTime, sqlTimeOf } from '../connection/sql-time.js';
import { headersAmong, headersSql, toHeaders } from '../thread/thread-headers.js';
import type { Tx } from '../connection/transaction.js';

type TakenRow = SaltedCopy & { headers: string | null };

interface Found {
  hasPile: boolean;
  hasFree: boolean;
  unread: number;
}

/** Undefined when the rule must run instead; nothing is leased then. */
export async function leaseAtOnce(
  tx: Tx,
  request: LeaseRequest,
): Promise<(HandedCopies & { unread: number }) | undefined> {
  const rows = await leaseFree(tx, request);
  const [found] = rows;
  if (found === undefined || found.hasPile) return undefined;
  // Without copies there is still one row, with the unread count.
  const copyRows = rows.filter((row): row is TakenRow & Found => row.seq !== null);
  if (copyRows.length === 0) {
    return found.hasFree ? undefined : { copies: [], hasMore: false, threads: [], unread: found.unread };
  }
  const taken = copyRows.slice(0, request.limit);
  const headers = toHeaders(found.headers ?? '[]');
  const { copies, threads } = copiesWithin(request, taken, {
    salt: found.salt ?? 0,
    headersOf: (shown) => headersAmong(headers, shown),
  });
  const unread = found.unread + (await releaseRest(tx, request, taken.slice(copies.length)));
  return { copies, hasMore: copyRows.length > copies.length, threads, unread };
}

/** Releases the copies beyond the token budget. Returns how many of them are unread again. */
async function releaseRest(tx: Tx, request: LeaseRequest, rest: readonly TakenRow[]): Promise<number> {
  if (rest.length === 0) return 0;
  const { sessionId, agentId, token } = request;
  const keys = rest.map(({ lane, rank, seq }) => ({ lane, rank, seq }));
  await releaseLease(tx, { sessionId, agentId, token, keys, unsent: true });
  return keys.filter(({ lane }) => lane === lanes.waking).length;
}

function leaseFree(
  tx: Tx,
  request: LeaseRequest,
): Promise<(Found & { [Name in keyof TakenRow]: TakenRow[Name] | null })[]> {
  const { sessionId, agentId, limit, now } = request;
  const query = { ...request, after: null, limit: limit + 1 };
  const held = lanesOf(query).map((lane) => freeCopiesInLane(tx, query, { lane, hold: 'skip' }));
  const free = lanesOf(query).map((lane) => freeCopiesInLane(tx, { ...query, limit: 1 }, { lane, hold: 'none' }));
  // uses pending's key; the counts are from before the update
  return tx.all(
    `with ${held.map(({ sql }, index) => `lane${index} as (${sql})`).join(', ')},
     c as materialized (select f.*, row_number() over (order by f.rank, f.seq) as place
       from (${held.map((_, index) => `select * from lane${index}`).join(' union all ')}) f),
     pile as materialized (select ?::boolean and coalesce(bool_or(c.notice not in ('digest', 'removed')), false) as stops
       from c),
     taken as (
       update pending p set lease_token = ?, lease_until = ${sqlTime} + ?, is_manual = ?, leased_at = ?,
         attempts = p.attempts + 1
       from c cross join pile
       where not pile.stops and c.place <= ? and p.session_id = ? and p.agent_id = ? and p.lane = c.lane
         and p.rank = c.rank and p.seq = c.seq
       returning p.lane)
     select c.*, (select salt from session where id = ?) as salt, pile.stops as "hasPile",
       (${unreadSql}) - (select count(*) from taken where lane = ${lanes.waking}) as unread,
       case when c.seq is null then ${free.map(({ sql }) => `exists (${sql})`).join(' or ')} else true end as "hasFree",
       case when c.place = 1 then (${headersSql('(select distinct c.thread_id as id from c) k')}) end as headers
     from pile left join c on true order by c.rank, c.seq limit ?`,
    [
      ...held.flatMap(({ values }) => values),
      isUnfiltered(request.filter),
      request.token,
      sqlTimeOf(tx, now),
      request.leaseMs,
      Number(request.isManual),
      now,
      limit,
      sessionId,
      agentId,
      sessionId,
      sessionId,
      agentId,
      unreadMax,
      ...free.flatMap(({ values }) => values),
      sessionId,
      limit + 1,
    ],
  );
}

/** When the answer of a lease was lost: frees its copies and takes the attempt back. */
export async function undoLostLease(tx: Tx, { sessionId, agentId, token }: LeaseRequest): Promise<void> {
  // uses pending's key
  await tx.run(
    `update pending set lease_token = null, lease_until = null, is_manual = null, attempts = attempts - 1,
       leased_at = case when attempts > 1 then leased_at end
     where session_id = ? and agent_id = ? and lease_token = ?`,
    [sessionId, agentId, token],
  );
}
