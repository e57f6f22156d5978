// Told after the commit: messages from `system`, whose recipients are woken, and audit entries, which are counted.
import type { Appended } from '../../../ports/store.js';
import type { Tx } from '../connection/transaction.js';

export function wakeAfterCommit(tx: Tx, sessionId: string, appended: Appended): void {
  tx.notices.push({ sessionId, appended });
}

export function auditStored(tx: Tx, act: string): void {
  tx.notices.push({ audited: act });
}
