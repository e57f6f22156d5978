// Deletes messages whose time is over, with everything that refers to them.
import type { PruneStep } from '../../../ports/store.js';
import { isCopyInInbox, isPrunable } from '../../rows/prunable.js';
import { prunedPerStep } from '../../rules/prune-messages.js';
import type { PrunableRow } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';
import { removeWords } from '../search/search-index.js';

// The offset keeps the server from reading all pending copies of the session.
const pendingCopies = `select 1 from jsonb_array_elements_text(m.recipients::jsonb) as r (value)
  cross join (values (0), (1)) as l (lane) cross join lateral (select 1 from pending p where ${isCopyInInbox('= l.lane')} offset 0) as open_copy`;

/** Without the newest message of the session, from which the next seq is counted. */
export async function prunableMessages(tx: Tx, { sessionId, before, afterSeq }: PruneStep): Promise<PrunableRow[]> {
  // uses message's key
  return tx.all<PrunableRow>(
    `select m.seq, m.at, ${isPrunable(pendingCopies, 'e.seq = m.seq')} as "isEnded"
     from message m where m.session_id = ? and m.seq > ?
       and m.seq < (select l.seq from message l where l.session_id = ? order by l.seq desc limit 1)
     order by m.seq limit ?`,
    [before, sessionId, afterSeq, sessionId, prunedPerStep],
  );
}

export async function deleteMessages(tx: Tx, sessionId: string, seqs: readonly number[]): Promise<void> {
  await removeWords(tx, sessionId, seqs);
  // uses the keys of delivery and message, and dead_letter_by_seq, once per seq
  for (const table of ['delivery', 'dead_letter', 'message']) {
    await tx.run(`delete from ${table} where session_id = ? and seq = any(?::bigint[])`, [sessionId, seqs]);
  }
}
