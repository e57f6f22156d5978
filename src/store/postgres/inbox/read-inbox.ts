// Reads an inbox in order: interrupts, then priority, then oldest first. Changes nothing.
import { lanes } from '../../../message/send/route.js';
import type { HandedCopies, PeekRequest } from '../../../ports/store.js';
import { copyColumns, filterSql, toCopy, type CopyRow } from '../../rows/copy-row.js';
import { messageColumns } from '../../rows/message-row.js';
import type { FreeCopies, Inbox } from '../../rules/statements.js';
import { sqlTime, sqlTimeOf } from '../connection/sql-time.js';
import { headersAmong, headersSql, toHeaders } from '../thread/thread-headers.js';
import type { SqlValue, Tx } from '../connection/transaction.js';

export type SaltedCopy = CopyRow & { salt: number };

/**
 * Whether the rows are locked until the commit. `skip` leaves out rows that others have locked, so it never waits and
 * cannot deadlock.
 */
export type Hold = 'none' | 'skip' | 'wait';

const holdSql: Record<Hold, string> = { none: '', wait: ' for update of p', skip: ' for update of p skip locked' };

/**
 * Copies that are neither leased nor expired, at most `limit`, in inbox order, with their thread headers, in one round
 * trip. Each lane is read in key order, so that a backlog of plain thread posts does not slow down a wait for mentions.
 */
export async function freeCopies(tx: Tx, query: PeekRequest, hold: Hold): Promise<FreeCopies> {
  const { sessionId, limit } = query;
  const inLanes = lanesOf(query).map((lane) => freeCopiesInLane(tx, query, { lane, hold }));
  // uses the indexes named in freeCopiesInLane and headersSql
  const found = await tx.all<SaltedCopy & { headers: string | null }>(
    `with ${inLanes.map(({ sql }, index) => `lane${index} as (${sql})`).join(', ')},
     c as materialized (${inLanes.map((_, index) => `select * from lane${index}`).join(' union all ')})
     select c.*, (select salt from session where id = ?) as salt,
       case when row_number() over (order by c.rank, c.seq) = 1
         then (${headersSql('(select distinct c.thread_id as id from c) k')}) end as headers
     from c order by c.rank, c.seq limit ?`,
    [...inLanes.flatMap(({ values }) => values), sessionId, sessionId, limit],
  );
  const headers = toHeaders(found[0]?.headers ?? '[]');
  return { rows: found, salt: found[0]?.salt ?? 0, headersOf: (copies) => headersAmong(headers, copies) };
}

export function lanesOf({ filter }: Pick<PeekRequest, 'filter'>): number[] {
  return filter.wakingOnly ? [lanes.waking] : [lanes.waking, lanes.plain];
}

export function freeCopiesInLane(
  tx: Tx,
  { sessionId, agentId, filter, after, now, limit }: PeekRequest,
  { lane, hold }: { lane: number; hold: Hold },
): { sql: string; values: SqlValue[] } {
  const { where, values } = filterSql(filter);
  return {
    // uses pending's key, then message's; `offset 0` forces this plan when the table statistics are missing
    sql: `select ${copyColumns} from pending p cross join lateral (select ${messageColumns} from message
         where session_id = p.session_id and seq = p.seq offset 0) m
       where p.session_id = ? and p.agent_id = ? and p.lane = ? and (p.rank, p.seq) > (?, ?)
         and p.lease_token is null and p.digest is null and (p.expires_at is null or p.expires_at > ${sqlTime})${where}
       order by p.rank, p.seq limit ?${holdSql[hold]}`,
    values: [sessionId, agentId, lane, after?.rank ?? -1, after?.seq ?? 0, sqlTimeOf(tx, now), ...values, limit],
  };
}

export async function peekCopies(tx: Tx, request: PeekRequest): Promise<HandedCopies> {
  const { rows, salt, headersOf } = await freeCopies(tx, { ...request, limit: request.limit + 1 }, 'none');
  const copies = rows.slice(0, request.limit).map((row) => toCopy(row, salt, row.attempts + 1));
  return { copies, hasMore: rows.length > request.limit, threads: headersOf(copies) };
}

export async function recheckFree(
  tx: Tx,
  query: Omit<PeekRequest, 'limit'>,
): Promise<{ hasFree: boolean; unread: number }> {
  const inLanes = lanesOf(query).map((lane) => freeCopiesInLane(tx, { ...query, limit: 1 }, { lane, hold: 'none' }));
  const row = await tx.get<{ hasFree: boolean; unread: number }>(
    `select ${inLanes.map(({ sql }) => `exists (${sql})`).join(' or ')} as "hasFree", (${unreadSql}) as unread`,
    [...inLanes.flatMap(({ values }) => values), query.sessionId, query.agentId, unreadMax],
  );
  return row ?? { hasFree: false, unread: 0 };
}

/** The unread count is capped at this number. */
export const unreadMax = 1_000;

// uses pending's key; bounded, since this runs with every call
export const unreadSql = `select count(*) from (select 1 from pending
  where session_id = ? and agent_id = ? and lane = 0 and lease_token is null and digest is null limit ?) unread`;

/** Waking copies that are not leased. */
export async function countUnread(tx: Tx, { sessionId, agentId }: Inbox): Promise<number> {
  const row = await tx.get<{ count: number }>(unreadSql, [sessionId, agentId, unreadMax]);
  return row?.count ?? 0;
}
