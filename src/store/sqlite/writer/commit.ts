// Ends a transaction of the writer, and says whether the outcome is known.
import { isBusy, isFull, isWriteRefused } from './result-code.js';
import type { Tx } from './transaction.js';

/** The outcome of the commit is unknown: the hub must stop, because it cannot continue after a failed fsync. */
export class CommitUnknown extends Error {}

/** The disk takes no write now; nothing of the transaction is committed. */
export function isOutOfRoom(error: unknown): boolean {
  return isFull(error) || isWriteRefused(error);
}

export function commit(tx: Tx): void {
  try {
    tx.control('commit');
  } catch (error) {
    // A write that the disk refused leaves a log without the mark of this commit; after any other error, such as that of a
    // failed fsync, the outcome is unknown.
    if (isOutOfRoom(error) || isBusy(error)) throw error;
    throw new CommitUnknown('commit failed', { cause: error });
  }
}

export function rollBack(tx: Tx): void {
  tx.discardDeferredRows();
  tx.notices.length = 0;
  tx.undoChanges(0);
  tx.awaitedCopies.length = 0;
  tx.onlyMail = null;
  tx.handed = [];
  if (tx.isOpen) tx.control('rollback');
  tx.memory.forgetAll();
}
