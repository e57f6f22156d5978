// Reads a reader's latest copies in any state, so that it can read again what it received.
import type { CopyState, Why } from '../../../contract/message.js';
import type { HandedCopies, HandedCopy, Store } from '../../../ports/store.js';
import { toCopy } from '../../rows/copy-row.js';
import { PageBytes } from '../../rows/rows-within.js';
import { indexedUpTo } from '../history/fill-history-indexes.js';
import { messageColumns, type MessageRow } from '../history/message-rows.js';
import { findSession } from '../session/sessions.js';
import { headersOf } from '../thread/thread-headers.js';
import type { Tx } from '../writer/transaction.js';

type Query = Parameters<Store['recentCopies']>[0];

export function recentCopies(tx: Tx, query: Query): HandedCopies & { states: CopyState[] } {
  const copies: HandedCopy[] = [];
  const states: CopyState[] = [];
  const page = new PageBytes();
  let hasMore = false;
  const salt = findSession(tx, query.sessionId)?.salt ?? 0;
  for (const seq of recentSeqs(tx, query)) {
    if (seq >= (query.before ?? Number.MAX_SAFE_INTEGER)) continue;
    const row = tx.get<MessageRow>(`select ${messageColumns} from message where session_id = ? and seq = ?`, [
      query.sessionId,
      seq,
    ]);
    const copy = row === undefined ? undefined : copyFactsOf(tx, query, row);
    if (row === undefined || copy === undefined) continue;
    hasMore = copies.length === query.limit || !page.fits(row);
    if (hasMore) break;
    const { state, attempts, lane, why } = copy;
    copies.push(toCopy({ ...row, lane, why, attempts }, salt, attempts));
    states.push(state);
  }
  copies.reverse();
  return { copies, states: states.toReversed(), hasMore, threads: headersOf(tx, query.sessionId, copies) };
}

/** The newest `horizon` seqs with a copy for this reader, newest first. */
function recentSeqs(tx: Tx, { sessionId, agentId, horizon: limit }: Query): number[] {
  // the unindexed tail by row number (the plus keeps SQLite from message_by_seq), then reader_message's key
  const tail = tx.all<{ seq: number }>(
    `select seq from message m where n > ? and +session_id = ?
     and exists (select 1 from json_each(m.recipients) r where r.value = ?) order by n desc limit ?`,
    [indexedUpTo(tx), sessionId, agentId, limit],
  );
  const indexed = tx.all<{ seq: number }>(
    'select seq from reader_message where session_id = ? and agent_id = ? order by seq desc limit ?',
    [sessionId, agentId, limit],
  );
  const seqs = [...tail, ...indexed].map(({ seq }) => seq).toSorted((a, b) => b - a);
  return seqs.slice(0, limit);
}

interface CopyFacts {
  state: CopyState;
  attempts: number;
  lane: number;
  why: Why;
}

function copyFactsOf(tx: Tx, { sessionId, agentId }: Query, row: MessageRow): CopyFacts | undefined {
  const ended = tx.get<CopyFacts & { isWithheld: number | null }>(
    // a dead letter that was never delivered was not received
    `select state, attempts, lane, why, attempts = 0 and state = 'dead_lettered' as isWithheld from delivery
     where n = ? and agent_id = ? and session_id = ?`,
    [row.n, agentId, sessionId],
  );
  if (ended !== undefined) return ended.isWithheld === 1 ? undefined : ended;
  return tx.get<CopyFacts>(
    `select case when lease_token is null then 'pending' else 'delivered' end as state, attempts, lane, why from pending
     where session_id = ? and agent_id = ? and lane in (0, 1) and rank = ? and seq = ?`,
    [sessionId, agentId, row.rank, row.seq],
  );
}
