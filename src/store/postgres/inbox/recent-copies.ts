// Reads a reader's latest copies in any state, so that it can read again what it received.
import { limits } from '../../../contract/limits.js';
import type { CopyState } from '../../../contract/message.js';
import type { HandedCopies, Store } from '../../../ports/store.js';
import { toCopy } from '../../rows/copy-row.js';
import { columnsOf } from '../../rows/message-row.js';
import { countWithin, withinSql } from '../../rows/rows-within.js';
import type { SaltedCopy } from './read-inbox.js';
import { headersOf } from '../thread/thread-headers.js';
import type { Tx } from '../connection/transaction.js';

type RecentRow = Omit<SaltedCopy, 'notice'> & { state: CopyState };

export async function recentCopies(
  tx: Tx,
  { sessionId, agentId, horizon, before, limit }: Parameters<Store['recentCopies']>[0],
): Promise<HandedCopies & { states: CopyState[] }> {
  // delivery_by_agent; pending's key from its end, once per lane and rank; then message's key
  const rows = await tx.all<RecentRow>(
    `with recent as (
       select * from (
         (select seq, state, attempts, lane, why from delivery where session_id = ? and agent_id = ?
          order by seq desc limit ?)
         union all
         select p.* from unnest('{0,1}'::integer[]) l (lane) cross join unnest('{0,1,2,3}'::integer[]) r (rank)
         cross join lateral (
           select seq, case when lease_token is null then 'pending' else 'delivered' end, attempts, lane, why
           from pending where session_id = ? and agent_id = ? and lane = l.lane and rank = r.rank
           order by seq desc limit ?) p
       ) c order by seq desc limit ?)
     ${withinSql(
       `select c.state, c.attempts, c.lane, c.why, (select salt from session where id = ?) as salt, ${columnsOf('m')}
     from recent c join message m on m.session_id = ? and m.seq = c.seq
     -- what died before it was ever handed out was not received
     where not (c.attempts = 0 and c.state = 'dead_lettered') and c.seq < ? order by c.seq desc limit ?`,
       'q.seq desc',
     )}`,
    [
      sessionId,
      agentId,
      horizon,
      sessionId,
      agentId,
      horizon,
      horizon,
      sessionId,
      sessionId,
      before ?? Number.MAX_SAFE_INTEGER,
      limit + 1,
      limits.pageBytes,
    ],
  );
  const shown = rows.slice(0, Math.min(limit, countWithin(rows))).toReversed();
  const copies = shown.map((row) => toCopy(row, row.salt, row.attempts));
  const states = shown.map(({ state }) => state);
  return { copies, states, hasMore: rows.length > shown.length, threads: await headersOf(tx, sessionId, copies) };
}
