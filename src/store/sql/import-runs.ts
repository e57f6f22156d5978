// Imports whose rows are being inserted. Whoever inserts holds the run's row for each step, so that one who took over is not disturbed.
import type { ImportRun } from '../../ports/transfer.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

export function* findImportRun(tx: Statements, sessionId: string): Steps<ImportRun | undefined> {
  // uses import_run's key
  return yield* tx.get<ImportRun>(
    'select session_id as "sessionId", import_id as "importId", at from import_run where session_id = ?',
    [sessionId],
  );
}

/** False if another import has the name since `before`. */
export function* takeImportRun(tx: Statements, run: ImportRun, { before }: { before: number }): Steps<boolean> {
  const { sessionId, importId, at } = run;
  const taken = yield* tx.run(
    `insert into import_run (session_id, import_id, at) values (?, ?, ?) on conflict (session_id)
     do update set import_id = excluded.import_id, at = excluded.at
     where import_run.import_id = excluded.import_id or import_run.at < ?`,
    [sessionId, importId, at, before],
  );
  return taken === 1;
}

/** False if another has taken over. Locks the run until the end of the transaction. */
export function* continueImportRun(tx: Statements, { sessionId, importId, at }: ImportRun): Steps<boolean> {
  const changed = yield* tx.run('update import_run set at = ? where session_id = ? and import_id = ?', [
    at,
    sessionId,
    importId,
  ]);
  return changed === 1;
}

export function* deleteImportRun(tx: Statements, sessionId: string): Steps<void> {
  yield* tx.run('delete from import_run where session_id = ?', [sessionId]);
}

export function* importRunsBefore(tx: Statements, before: number): Steps<string[]> {
  // all of them: they are few
  const rows = yield* tx.all<{ id: string }>(
    '/* all sessions: imports that were given up */ select session_id as id from import_run where at < ? limit 100',
    [before],
  );
  return rows.map(({ id }) => id);
}
