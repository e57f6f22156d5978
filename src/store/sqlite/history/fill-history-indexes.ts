// Fills the thread, sender and reader indexes after the sends, in sorted batches, so that neighbouring entries share pages.
import type { Tx } from '../writer/transaction.js';

/** The watermark: messages up to this row number are indexed; readers scan the tail after it. */
export function indexedUpTo(tx: Tx, name: 'history' | 'search' = 'history'): number {
  return tx.get<{ n: number }>('select n from watermark where name = ?', [name])?.n ?? 0;
}

/** How many messages are not indexed yet. */
export function indexLag(tx: Tx, name: 'history' | 'search' = 'history'): number {
  const last = tx.get<{ n: number | null }>('select max(n) as n from message')?.n ?? 0;
  return last - indexedUpTo(tx, name);
}

export function setIndexedUpTo(tx: Tx, name: 'history' | 'search', n: number): void {
  tx.run('update watermark set n = ? where name = ?', [n, name]);
}

/** A message has an index entry per recipient; bounded, so that a batch does not block sends. */
const recipientCharsMax = 200_000;

export function fillHistoryIndexes(tx: Tx, rowsMax: number): void {
  const from = indexedUpTo(tx);
  const last = tx.get<{ n: number | null }>(
    `select max(n) as n from (select n, row_number() over (order by n) as place,
         sum(length(recipients)) over (order by n) as chars
       from (select n, recipients from message where n > ? order by n limit ?))
     where place = 1 or chars <= ?`,
    [from, rowsMax, recipientCharsMax],
  );
  const to = last?.n ?? from;
  if (to === from) return;
  tx.run(
    `insert or ignore into thread_message (session_id, thread_id, seq)
     select session_id, thread_id, seq from message where n > ? and n <= ? and thread_id is not null
     order by session_id, thread_id, seq`,
    [from, to],
  );
  tx.run(
    `insert or ignore into sender_message (session_id, agent_id, seq)
     select session_id, sender, seq from message where n > ? and n <= ? order by session_id, sender, seq`,
    [from, to],
  );
  tx.run(
    `insert or ignore into reader_message (session_id, agent_id, seq)
     select m.session_id, r.value, m.seq from message m, json_each(m.recipients) r where m.n > ? and m.n <= ?
     union all select session_id, target, seq from message
       where n > ? and n <= ? and target is not null and recipients <> json_array(target)
     order by 1, 2, 3`,
    [from, to, from, to],
  );
  tx.run(
    `insert or ignore into message_span (session_id, first_seq, last_seq, earliest_at, latest_at)
     select session_id, min(seq), max(seq), min(at), max(at) from message where n > ? and n <= ?
     group by session_id order by session_id`,
    [from, to],
  );
  setIndexedUpTo(tx, 'history', to);
}
