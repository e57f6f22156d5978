// Reads an inbox in order: interrupts, then priority, then oldest first. Changes nothing.
import { lanes } from '../../../message/send/route.js';
import type { HandedCopies, PeekRequest } from '../../../ports/store.js';
import { copyColumns, filterSql, toCopy, type CopyRow } from '../../rows/copy-row.js';
import type { FreeCopies, Inbox } from '../../rules/statements.js';
import { findSession } from '../session/sessions.js';
import { headersOf } from '../thread/thread-headers.js';
import type { Tx } from '../writer/transaction.js';

/**
 * Copies that are neither leased nor expired, at most `limit`, in inbox order. Each lane is read in key order, then merged,
 * so that a backlog of plain thread posts does not slow down a wait for mentions.
 */
export function freeCopies(tx: Tx, query: PeekRequest): FreeCopies {
  const { sessionId } = query;
  return {
    rows: freeRows(tx, query),
    salt: findSession(tx, sessionId)?.salt ?? 0,
    headersOf: (copies) => headersOf(tx, sessionId, copies),
  };
}

function freeRows(tx: Tx, query: PeekRequest): CopyRow[] {
  const waking = freeCopiesInLane(tx, query, lanes.waking);
  if (query.filter.wakingOnly) return waking;
  return [...waking, ...freeCopiesInLane(tx, query, lanes.plain)]
    .toSorted((a, b) => a.rank - b.rank || a.seq - b.seq)
    .slice(0, query.limit);
}

function freeCopiesInLane(tx: Tx, query: PeekRequest, lane: number): CopyRow[] {
  const { sessionId, agentId, filter, after, now, limit } = query;
  const { where, values } = filterSql(filter);
  // uses pending's key, then message by its row number
  return tx.all<CopyRow>(
    `select ${copyColumns} from pending p join message m on m.n = p.n
     where p.session_id = ? and p.agent_id = ? and p.lane = ? and (p.rank, p.seq) > (?, ?)
       and p.lease_token is null and p.digest is null and (p.expires_at is null or p.expires_at > ?) and m.session_id = p.session_id${where}
     order by p.rank, p.seq limit ?`,
    [sessionId, agentId, lane, after?.rank ?? -1, after?.seq ?? 0, now, ...values, limit],
  );
}

export function peekCopies(tx: Tx, request: PeekRequest): HandedCopies {
  const { rows, salt, headersOf: headers } = freeCopies(tx, { ...request, limit: request.limit + 1 });
  const copies = rows.slice(0, request.limit).map((row) => toCopy(row, salt, row.attempts + 1));
  return { copies, hasMore: rows.length > request.limit, threads: headers(copies) };
}

/** With a single writer no copy is ever locked by another transaction. */
export function recheckFree(tx: Tx, inbox: Inbox): { hasFree: boolean; unread: number } {
  return { hasFree: false, unread: countUnread(tx, inbox) };
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
