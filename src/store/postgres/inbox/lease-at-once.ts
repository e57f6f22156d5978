// The common lease in one statement and one commit: finds, locks and leases the copies together. If more is needed, such as
// a digest, or a model's budget may be too small for them, it leases nothing, and the rule in rules/leases.ts takes over.
import { answerFrameTokens, frameTokensMax, tokensPerCharacterMax } from '../../../contract/budget/message-tokens.js';
import { limits } from '../../../contract/limits.js';
import { lanes } from '../../../message/send/route.js';
import { isUnfiltered } from '../../../notify/digest.js';
import type { HandedCopies, LeaseRequest } from '../../../ports/store.js';
import { copiesWithin } from '../../rows/copies-within.js';
import { bytesSql } from '../../rows/rows-within.js';
import { lanesOf, needsFiled } from '../../rows/filed-ranges.js';
import { copiesScanned } from '../../sql/filing.js';
import { freeInRange, rangesOf, unreadMax, unreadSql, type SaltedCopy } from './read-inbox.js';
import { sqlTime, sqlTimeOf } from '../connection/sql-time.js';
import { headersAmong, headersSql, toHeaders } from '../thread/thread-headers.js';
import type { SqlValue, Tx } from '../connection/transaction.js';

/** `fits`: the page holds it; the copies after it show that there are more. */
type TakenRow = SaltedCopy & { headers: string | null; fits: boolean };

interface Found {
  /** Notices may become a digest, or what fits the budget must be counted. */
  needsRule: boolean;
  /** The inbox is too deep to be scanned with this filter. */
  isDeep: boolean;
  unread: number;
}

/** Undefined when the rule must run instead; nothing is leased then. */
export async function leaseAtOnce(
  tx: Tx,
  request: LeaseRequest,
): Promise<(HandedCopies & { unread: number }) | undefined> {
  const rows = await leaseFree(tx, request);
  const [found] = rows;
  if (found === undefined || found.needsRule || found.isDeep) return undefined;
  // Without copies there is still one row, with the unread count.
  const copyRows = rows.filter((row): row is TakenRow & Found => row.seq !== null);
  if (copyRows.length === 0) return { copies: [], hasMore: false, threads: [], unread: found.unread };
  const taken = copyRows.slice(0, request.limit).filter(({ fits }) => fits);
  const headers = toHeaders(found.headers ?? '[]');
  const { copies, threads } = copiesWithin(request, taken, {
    salt: found.salt ?? 0,
    headersOf: (shown) => headersAmong(headers, shown),
  });
  return { copies, hasMore: copyRows.length > copies.length, threads, unread: found.unread };
}

/**
 * Whether several copies of the page may exceed the budget, by an upper bound, as in copies-within.ts. To lease them and give some
 * back would be two commits, between which another hub may hand out later copies.
 */
const mayExceedSql = `coalesce(count(*) filter (where c.fits and c.place <= ?) > 1 and ?::bigint < ${answerFrameTokens} +
  sum(${frameTokensMax} + ${tokensPerCharacterMax} * ${bytesSql('c')}) filter (where c.fits and c.place <= ?), false)`;

function leaseFree(
  tx: Tx,
  request: LeaseRequest,
): Promise<(Found & { [Name in keyof TakenRow]: TakenRow[Name] | null })[]> {
  const { sessionId, agentId, limit, now, tokensMax, bytesMax = limits.pageBytes } = request;
  const query = { ...request, after: null, limit: limit + 1, filed: null };
  const deep = deepSql(request);
  const held = rangesOf(query).map((range) => freeInRange(tx, query, { range, hold: 'lock', unless: deep.unless }));
  // uses pending's key; the counts are from before the update. The page names the inbox, too: a plan that was made while inboxes
  // were short would otherwise look at all copies of the reader.
  return tx.all(
    `with deep as materialized (select ${deep.sql} as is_deep), ${held.map(({ sql }, index) => `lane${index} as (${sql})`).join(', ')},
     c as materialized (select f.*, row_number() over w as place, sum(${bytesSql('f')}) over w - ${bytesSql('f')} as bytes_before,
         row_number() over w = 1 or sum(${bytesSql('f')}) over w <= ? as fits
       from (${held.map((_, index) => `select * from lane${index}`).join(' union all ')}) f
       window w as (order by f.rank, f.seq rows unbounded preceding)),
     pile as materialized (select ?::boolean and coalesce(bool_or(c.notice not in ('digest', 'removed')), false)
         or ${mayExceedSql} as stops from c),
     page as materialized (select ?::text collate "C" as session_id, ?::text collate "C" as agent_id, c.lane, c.rank, c.seq
       from c cross join pile where not pile.stops and c.fits and c.place <= ?),
     taken as (
       update pending p set lease_token = ?, lease_until = ${sqlTime} + ?, is_manual = ?, leased_at = ?,
         attempts = p.attempts + 1
       from page g where p.session_id = g.session_id and p.agent_id = g.agent_id and p.lane = g.lane
         and p.rank = g.rank and p.seq = g.seq
       returning p.lane)
     select c.*, (select salt from session where id = ?) as salt, pile.stops as "needsRule", (select is_deep from deep) as "isDeep",
       (${unreadSql}) - (select count(*) from taken where lane = ${lanes.waking}) as unread,
       case when c.place = 1 then (${headersSql('(select distinct c.thread_id as id from c) k')}) end as headers
     from pile left join c on c.bytes_before <= ? or c.place <= 2 order by c.rank, c.seq limit ?`,
    [
      ...deep.values,
      ...held.flatMap(({ values }) => values),
      bytesMax,
      isUnfiltered(request.filter),
      limit,
      tokensMax,
      limit,
      sessionId,
      agentId,
      limit,
      request.token,
      sqlTimeOf(tx, now),
      request.leaseMs,
      Number(request.isManual),
      now,
      sessionId,
      sessionId,
      agentId,
      unreadMax,
      sessionId,
      bytesMax,
      limit + 1,
    ],
  );
}

/** Whether an inbox is deep is tested once, before the others read: of a deep one they read nothing. */
function deepSql({ sessionId, agentId, filter }: LeaseRequest): { sql: string; unless: string; values: SqlValue[] } {
  if (!needsFiled(filter)) return { sql: 'false', unless: '', values: [] };
  const wanted = lanesOf(filter);
  // uses pending's key
  const inLane = `exists (select 1 from pending where session_id = ? and agent_id = ? and lane = ? limit 1 offset ?)`;
  return {
    sql: wanted.map(() => inLane).join(' or '),
    unless: ' and not (select is_deep from deep)',
    values: wanted.flatMap((lane) => [sessionId, agentId, lane, copiesScanned]),
  };
}

/**
 * When the answer of a lease was lost: frees its copies. The attempt stays counted: others may have been handed later copies
 * meanwhile.
 */
export async function undoLostLease(tx: Tx, { sessionId, agentId, token }: LeaseRequest): Promise<void> {
  // uses pending_by_token
  await tx.run(
    `update pending set lease_token = null, lease_until = null, is_manual = null
     where session_id = ? and agent_id = ? and lease_token = ?`,
    [sessionId, agentId, token],
  );
}
