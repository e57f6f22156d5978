// A send as the writer thread runs it.
import type { Appended, AppendResult, SendPlan } from '../../../ports/store.js';
import { appendMessage as append } from '../../rules/append-message.js';
import { runNow } from '../../rules/steps.js';
import type { Tx } from '../writer/transaction.js';

export function appendMessage(tx: Tx, plan: SendPlan): AppendResult {
  return runNow(append(tx.statements, plan));
}

export function wakeAfterCommit(tx: Tx, sessionId: string, appended: Appended): void {
  tx.notices.push({ sessionId, appended });
}
