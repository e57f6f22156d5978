// Deletes what an import has inserted that was refused or ended early, in steps. Its session was never there: if it is after all,
// a hub of a release that does not know imports has begun it, and nothing is deleted.
import { importGivenUpMs, sessionTaken } from '../../../session/transfer/decide-import.js';
import type { ImportRun } from '../../../ports/transfer.js';
import { attachmentUses, idempotencyKeys, stateTables } from '../../rows/tables.js';
import { continueImportRun, deleteImportRun, importRunsBefore, takeImportRun } from '../../sql/import-runs.js';
import { rangeAfter, rangeSql } from '../../sql/key-range.js';
import { findSessionRow } from '../../sql/transfer.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

/** Rows of one step. A message takes its copies, attachments and index entries with it. */
const messagesPerStep = 20;
const rowsPerStep = 500;

/** `delivery` goes with the messages. */
const tables = [...stateTables, attachmentUses, idempotencyKeys, { name: 'attachment', key: ['hash'] }].filter(
  ({ name }) => name !== 'delivery',
);

/** One step. Nothing is done if another import has the name now. */
export function* clearImport(tx: Statements, run: ImportRun & { keepsName: boolean }): Steps<{ hasMore: boolean }> {
  const { sessionId, importId, keepsName } = run;
  const at = yield* tx.sharedTime(run.at);
  if (!(yield* continueImportRun(tx, { sessionId, importId, at }))) return { hasMore: false };
  const isThere = (yield* findSessionRow(tx, sessionId)) !== undefined;
  const hasMore = !isThere && (yield* deleteSome(tx, sessionId));
  // Once more, by a later look than the deletes had: what a hub writes in a session is never seen before the session's row.
  if (!isThere && (yield* findSessionRow(tx, sessionId)) !== undefined) throw sessionTaken(sessionId);
  if (!hasMore && !keepsName) yield* deleteImportRun(tx, sessionId);
  return { hasMore };
}

/** False when nothing was left. */
function* deleteSome(tx: Statements, sessionId: string): Steps<boolean> {
  // uses message_by_seq, or message's key
  const messages = yield* tx.all<{ seq: number }>('select seq from message where session_id = ? order by seq limit ?', [
    sessionId,
    messagesPerStep,
  ]);
  if (messages.length > 0) {
    yield* tx.deleteMessages(
      sessionId,
      messages.map(({ seq }) => seq),
    );
    return true;
  }
  for (const { name, key } of tables) {
    const range = yield* rangeAfter(tx, { table: name, key }, { sessionId, after: null, limit: rowsPerStep });
    const { where, values } = rangeSql(range, name);
    const deleted = yield* tx.run(`delete from ${name} where ${name}.session_id = ? and ${where}`, [
      sessionId,
      ...values,
    ]);
    if (deleted > 0) return true;
  }
  yield* tx.forgetIndexes(sessionId);
  return false;
}

/** Takes over imports whose hub has died or was stopped, to clear them. */
export function* takeLeftImports(
  tx: Statements,
  { importId, now }: { importId: string; now: number },
): Steps<string[]> {
  const at = yield* tx.sharedTime(now);
  const before = at - importGivenUpMs;
  const taken: string[] = [];
  for (const sessionId of yield* importRunsBefore(tx, before)) {
    if (yield* takeImportRun(tx, { sessionId, importId, at }, { before })) taken.push(sessionId);
  }
  return taken;
}
