// Messages from `system`: their recipients are woken after the commit.
import type { Appended } from '../../../ports/store.js';
import type { Tx } from '../writer/transaction.js';

export function wakeAfterCommit(tx: Tx, sessionId: string, appended: Appended): void {
  tx.notices.push({ sessionId, appended });
}
