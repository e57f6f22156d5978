// Reads an inbox in order: interrupts, then priority, then oldest first. Changes nothing.
import { limits } from '../../../contract/limits.js';
import { copyColumns, filterSql, type CopyRow } from '../../rows/copy-row.js';
import { filedRanges, lanesOf, type InboxRange } from '../../rows/filed-ranges.js';
import { messageColumns } from '../../rows/message-row.js';
import { withinSql } from '../../rows/rows-within.js';
import type { FreeCopies, FreeQuery, Inbox } from '../../rules/statements.js';
import { sqlTime, sqlTimeOf } from '../connection/sql-time.js';
import { headersAmong, headersSql, toHeaders } from '../thread/thread-headers.js';
import type { SqlValue, Tx } from '../connection/transaction.js';

export type SaltedCopy = CopyRow & { salt: number };

/**
 * Locks the rows until the commit, in inbox order as everyone does, and waits for those that others have locked: to skip
 * them would hand out later copies first.
 */
const lockSql = ' for update of p';

type Hold = 'none' | 'lock';

/**
 * Copies that are neither leased nor expired, at most `limit` or a page and one, in inbox order, with their thread headers, in one round
 * trip. Each lane is read in key order, so that a backlog of plain thread posts does not slow down a wait for mentions.
 */
export async function freeCopies(tx: Tx, query: FreeQuery, hold: Hold): Promise<FreeCopies> {
  const { sessionId, limit } = query;
  const inLanes = rangesOf(query).map((range) => freeInRange(tx, query, { range, hold }));
  // uses the indexes named in freeInRange and headersSql
  const found = await tx.all<SaltedCopy & { headers: string | null }>(
    `with ${inLanes.map(({ sql }, index) => `lane${index} as (${sql})`).join(', ')},
     c as materialized (${withinSql(inLanes.map((_, index) => `select * from lane${index}`).join(' union all '), 'q.rank, q.seq')})
     select c.*, (select salt from session where id = ?) as salt,
       case when row_number() over (order by c.rank, c.seq) = 1
         then (${headersSql('(select distinct c.thread_id as id from c) k')}) end as headers
     from c order by c.rank, c.seq limit ?`,
    [...inLanes.flatMap(({ values }) => values), query.bytesMax ?? limits.pageBytes, sessionId, sessionId, limit],
  );
  const headers = toHeaders(found[0]?.headers ?? '[]');
  return { rows: found, salt: found[0]?.salt ?? 0, headersOf: (copies) => headersAmong(headers, copies) };
}

export function rangesOf({ filter, filed }: Pick<FreeQuery, 'filter' | 'filed'>): InboxRange[] {
  const { where, values } = filterSql(filter);
  return lanesOf(filter).flatMap((lane) =>
    filed === null
      ? [{ index: null, where: `p.lane = ?${where}`, values: [lane, ...values] }]
      : filedRanges(filter, lane, filed),
  );
}

export function freeInRange(
  tx: Tx,
  { sessionId, agentId, after, now, limit }: FreeQuery,
  { range: { where, values }, hold, unless = '' }: { range: InboxRange; hold: Hold; unless?: string },
): { sql: string; values: SqlValue[] } {
  return {
    // uses the index of the range or pending's key, then message's; `offset 0` forces this plan when the table statistics are missing
    sql: `select ${copyColumns} from pending p cross join lateral (select ${messageColumns} from message
         where session_id = p.session_id and seq = p.seq offset 0) m
       where p.session_id = ? and p.agent_id = ? and ${where} and (p.rank, p.seq) > (?, ?)
         and p.lease_token is null and p.digest is null and (p.expires_at is null or p.expires_at > ${sqlTime})${unless}
       order by p.rank, p.seq limit ?${hold === 'lock' ? lockSql : ''}`,
    values: [sessionId, agentId, ...values, after?.rank ?? -1, after?.seq ?? 0, sqlTimeOf(tx, now), limit],
  };
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
