// Erases what a message says, wherever it is stored. Copies, dead letters and history refer to the message itself.
import { messageUnknown } from '../../session/decide-redaction.js';
import type { MessageRecord, RedactPlan } from '../../ports/store.js';
import { redactedRow, toRecord } from '../rows/message-row.js';
import { appendAudit } from '../sql/audit.js';
import { saltOf } from './sessions.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

/** A message that is redacted already stays as it is. */
export function* redactMessage(tx: Statements, plan: RedactPlan): Steps<MessageRecord> {
  const { sessionId, messageId, by, at, reason, audit } = plan;
  const row = yield* tx.findMessage(sessionId, messageId);
  if (row === undefined) throw messageUnknown(messageId);
  const salt = yield* saltOf(tx, sessionId);
  const before = toRecord(row, salt);
  if (before.redaction !== null) return before;
  const after = redactedRow(row, { by, at, reason });
  yield* tx.eraseMessage(row, after);
  yield* appendAudit(tx, audit);
  return toRecord(after, salt);
}
