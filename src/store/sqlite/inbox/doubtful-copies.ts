// Copies that may have been handed out although the store does not know it: a power cut may lose a lease, which is committed
// without fsync, and a disk may refuse it. They count as handed out once, so that they come with the mark. See docs/decisions/0023.
import type { Tx } from '../writer/transaction.js';

const watermarkName = 'doubtful';

/** How often the copy was handed out, as far as is known; `p` is pending. Uses watermark's key, once per statement. */
export const countedAttempts = `case when p.attempts = 0
  and p.n <= (select n from watermark where name = '${watermarkName}') then 1 else p.attempts end`;

/** Every copy that is pending now. One row is written, however many there are. */
export function doubtAllCopies(tx: Tx): void {
  tx.run(
    `insert into watermark (name, n) select ?, coalesce(max(n), 0) from message where true
     on conflict (name) do update set n = excluded.n`,
    [watermarkName],
  );
}
