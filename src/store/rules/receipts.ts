// The state of every copy of a message, for its sender.
import type { Receipt, Store } from '../../ports/store.js';
import { toRecord } from '../rows/message-row.js';
import { findCritical } from '../sql/critical-threads.js';
import { saltOf } from './sessions.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

export function* receipts(
  tx: Statements,
  { sessionId, messageId, now }: Parameters<Store['receipts']>[0],
): Steps<Awaited<ReturnType<Store['receipts']>>> {
  const row = yield* tx.findMessage(sessionId, messageId);
  if (row === undefined) return null;
  const message = toRecord(row, yield* saltOf(tx, sessionId));
  return { message, deliveries: yield* tx.receiptsOf(row, now) };
}

/** Of the opening of a critical thread; null for any other thread. */
export function* openingReceipts(
  tx: Statements,
  { sessionId, threadId, now }: Parameters<Store['openingReceipts']>[0],
): Steps<Receipt[] | null> {
  const critical = yield* findCritical(tx, sessionId, threadId);
  if (critical === undefined) return null;
  const [row] = yield* tx.messagesOf(sessionId, [critical.opening]);
  return row === undefined ? null : yield* tx.receiptsOf(row, now);
}
