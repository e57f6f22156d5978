// Reads an inbox in order: interrupts, then priority, then oldest first. Changes nothing.
import type { InboxFilter } from '../../../ports/store.js';
import { copyColumns, filterSql, type CopyRow } from '../../rows/copy-row.js';
import { filedRanges, lanesOf, type InboxRange } from '../../rows/filed-ranges.js';
import type { FreeCopies, FreeQuery, Inbox } from '../../rules/statements.js';
import { countedAttempts } from './doubtful-copies.js';
import { findSession } from '../session/sessions.js';
import { headersOf } from '../thread/thread-headers.js';
import type { Tx } from '../writer/transaction.js';

const sqliteColumns = copyColumns.replace('p.attempts', `${countedAttempts} as attempts`);

/**
 * Copies that are neither leased nor expired, at most `limit` or a page and one, in inbox order. Each lane is read in key order, then merged,
 * so that a backlog of plain thread posts does not slow down a wait for mentions.
 */
export function freeCopies(tx: Tx, query: FreeQuery): FreeCopies {
  const { sessionId } = query;
  return {
    rows: freeRows(tx, query),
    salt: findSession(tx, sessionId)?.salt ?? 0,
    headersOf: (copies) => headersOf(tx, sessionId, copies),
  };
}

function freeRows(tx: Tx, query: FreeQuery): CopyRow[] {
  const { filter, filed, limit } = query;
  const ranges = lanesOf(filter).flatMap((lane) =>
    filed === null ? [wholeLane(filter, lane)] : filedRanges(filter, lane, filed),
  );
  const [first = [], ...others] = ranges.map((range) => freeInRange(tx, query, range));
  if (others.length === 0) return first;
  return [first, ...others]
    .flat()
    .toSorted((a, b) => a.rank - b.rank || a.seq - b.seq)
    .slice(0, limit);
}

function wholeLane(filter: InboxFilter, lane: number): InboxRange {
  const { where, values } = filterSql(filter);
  return { index: null, where: `p.lane = ?${where}`, values: [lane, ...values] };
}

function freeInRange(tx: Tx, query: FreeQuery, { index, where, values }: InboxRange): CopyRow[] {
  const { sessionId, agentId, after, now, limit } = query;
  // uses the index of the range or pending's key, then message by its row number
  return tx.page<CopyRow>(
    `select ${sqliteColumns} from pending p${index === null ? '' : ` indexed by ${index}`} cross join message m on m.n = p.n
     where p.session_id = ? and p.agent_id = ? and ${where} and (p.rank, p.seq) > (?, ?)
       and p.lease_token is null and p.digest is null and (p.expires_at is null or p.expires_at > ?) and m.session_id = p.session_id
     order by p.rank, p.seq limit ?`,
    [sessionId, agentId, ...values, after?.rank ?? -1, after?.seq ?? 0, tx.clockJumps.now(now), limit],
    query.bytesMax,
  );
}

/** Waking copies that are not leased. */
export function countUnread(tx: Tx, { sessionId, agentId }: Inbox): number {
  const session = findSession(tx, sessionId);
  if (session?.hasNoMail(agentId)) return 0;
  // uses pending's key; bounded, since this runs with every call
  const row = tx.get<{ count: number }>(
    `select count(*) as count from (select 1 from pending
     where session_id = ? and agent_id = ? and lane = 0 and lease_token is null and digest is null limit 1000)`,
    [sessionId, agentId],
  );
  const count = row?.count ?? 0;
  if (count === 0) session?.rememberNoMail(agentId);
  return count;
}
