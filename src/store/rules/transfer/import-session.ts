// Makes a session of the staged lines, in short transactions. The session's own row comes last: without it nobody can use the
// session, and whoever tries is told that it is being imported (sessions.ts). See docs/decisions/0019-export.md.
import { messageIdOf } from '../../../contract/ids.js';
import type { Line } from '../../../contract/transfer/lines.js';
import { mayCreate } from '../../../session/decide-administration.js';
import {
  beingImported,
  importGivenUpMs,
  importInvalid,
  importUnknown,
  sessionTaken,
} from '../../../session/transfer/decide-import.js';
import type { Appended } from '../../../ports/store.js';
import type { BeginImportPlan, CompleteImportPlan, ImportRun, InsertImportPlan } from '../../../ports/transfer.js';
import { columnsInLine, rowOfLine, sessionColumns, tableCalled, transferTables } from '../../rows/transfer-rows.js';
import { messages as messageTable, type Row } from '../../rows/tables.js';
import { appendAudit } from '../../sql/audit.js';
import { continueImportRun, deleteImportRun, findImportRun, takeImportRun } from '../../sql/import-runs.js';
import { findImport, findSessionRow, insertSessionRow } from '../../sql/transfer.js';
import { pendingColumns } from './export-session.js';
import { requireRoomForSession } from '../sessions.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

/** Takes the name. `isLeft`: rows of an import that ended early may be there and must be cleared first. */
export function* beginImport(tx: Statements, plan: BeginImportPlan): Steps<{ parts: number; isLeft: boolean }> {
  const { sessionId, from, importId, createdBySession } = plan;
  const staged = yield* findImport(tx, { sessionId: from, importId });
  if (staged === null || staged.target !== sessionId) throw importUnknown();
  yield* tx.lockName(sessionId);
  const isTaken = (yield* findSessionRow(tx, sessionId)) !== undefined;
  if (isTaken || !mayCreate(createdBySession, sessionId)) throw sessionTaken(sessionId);
  yield* requireRoomForSession(tx);
  const isLeft = (yield* findImportRun(tx, sessionId)) !== undefined;
  const at = yield* tx.sharedTime(plan.at);
  const isOurs = yield* takeImportRun(tx, { sessionId, importId, at }, { before: at - importGivenUpMs });
  if (!isOurs) throw beingImported(sessionId);
  return { parts: staged.parts, isLeft };
}

/**
 * Each step: another may have taken over if this one was stopped for long, and a hub of a release that does not know imports
 * may have begun the session.
 */
export function* requireRun(tx: Statements, { sessionId, importId, at }: ImportRun): Steps<void> {
  const isOurs = yield* continueImportRun(tx, { sessionId, importId, at: yield* tx.sharedTime(at) });
  if (!isOurs) throw importUnknown();
  if ((yield* findSessionRow(tx, sessionId)) !== undefined) throw sessionTaken(sessionId);
}

/** Inserts the next lines. The session's own is left to the last step. */
export function* insertImported(tx: Statements, plan: InsertImportPlan): Steps<void> {
  yield* requireRun(tx, plan);
  // Safe: each line has passed the schema of its kind before it was staged.
  yield* insertLines(
    tx,
    plan,
    plan.lines.map((line) => JSON.parse(line) as Line),
  );
}

/** The last step. */
export function* completeImport(tx: Statements, plan: CompleteImportPlan): Steps<void> {
  const { sessionId, session, createdBySession, audit } = plan;
  yield* requireRun(tx, plan);
  yield* requireRoomForSession(tx);
  const row = { ...rowOfLine(sessionColumns, session), created_by_session: createdBySession };
  if (!(yield* insertSessionRow(tx, sessionId, row))) throw sessionTaken(sessionId);
  yield* deleteImportRun(tx, sessionId);
  yield* appendAudit(tx, audit);
}

interface Imported {
  sessionId: string;
  owner: string;
  salt: number;
}

/** Messages before their copies, whichever part they came in. */
function* insertLines(tx: Statements, { sessionId, owner, salt }: Imported, lines: readonly Line[]): Steps<void> {
  for (const line of lines) {
    if (line.kind !== 'attachment') continue;
    yield* tx.insertAttachment(sessionId, { ...line, bytes: Buffer.from(line.data, 'base64') });
  }
  const messages = lines.filter((line) => line.kind === 'message');
  yield* insert(tx, sessionId, { table: 'message', columns: columnsInLine(messageTable), lines: messages });
  const uses = messages.flatMap(({ seq, attachments = [] }) => attachments.map((hash) => ({ seq, hash })));
  yield* tx.insertTransferRows(sessionId, { table: 'attachment_use', columns: ['seq', 'hash'], rows: uses });
  const copies = lines.filter((line) => line.kind === 'copy');
  yield* insertCopies(tx, sessionId, { copies, ranks: new Map(messages.map(({ seq, rank }) => [seq, rank])) });
  for (const { kind, name, columns, key } of transferTables) {
    const ofKind = lines.filter((line) => line.kind === kind);
    const extra: Row = kind === 'agent' ? { owner } : {};
    yield* insert(tx, sessionId, { table: name, columns: columnsInLine({ name, key, columns }), lines: ofKind, extra });
  }
  for (const line of lines) if (line.kind === 'idempotencyKey') yield* insertKey(tx, { sessionId, salt }, line);
}

interface Inserted {
  table: string;
  columns: readonly string[];
  lines: readonly Line[];
  extra?: Row;
}

function* insert(tx: Statements, sessionId: string, { table, columns, lines, extra = {} }: Inserted): Steps<void> {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({ ...rowOfLine(columns, line), ...extra }));
  yield* tx.insertTransferRows(sessionId, { table, columns: [...columns, ...Object.keys(extra)], rows });
}

const endedColumns = columnsInLine(tableCalled('delivery'));

/** `ranks`: of the messages of the same part; a copy may follow its message in the next. */
function* insertCopies(
  tx: Statements,
  sessionId: string,
  { copies, ranks }: { copies: readonly Line<'copy'>[]; ranks: Map<number, number> },
): Steps<void> {
  const ended = copies.filter(({ state }) => state !== 'pending');
  yield* insert(tx, sessionId, { table: 'delivery', columns: endedColumns, lines: ended });
  const pending = copies.filter(({ state }) => state === 'pending');
  if (pending.length === 0) return;
  for (const { seq } of pending) {
    if (ranks.has(seq)) continue;
    // uses message_by_seq, or message's key
    const row = yield* tx.get<{ rank: number }>('select rank from message where session_id = ? and seq = ?', [
      sessionId,
      seq,
    ]);
    ranks.set(seq, row?.rank ?? 0);
  }
  const rows = pending.map((line) => ({ ...rowOfLine(pendingColumns, line), rank: ranks.get(line.seq) ?? 0 }));
  yield* tx.insertTransferRows(sessionId, { table: 'pending', columns: [...pendingColumns, 'rank'], rows });
}

function* insertKey(
  tx: Statements,
  { sessionId, salt }: Pick<Imported, 'sessionId' | 'salt'>,
  line: Line<'idempotencyKey'>,
): Steps<void> {
  const { sender, key, hash, expiresAt } = line;
  const request = { sessionId, sender, key: { key, hash, at: 0, expiresAt } };
  if ((yield* tx.findResultBefore(request)) !== undefined)
    throw importInvalid(`the key '${key}' of '${sender}' is there twice`);
  if (!('seq' in line)) return yield* tx.saveResult(request, line.result);
  const { seq, result } = line;
  const appended: Appended = { ...result, seq, id: messageIdOf(seq, salt), sender, duplicate: false };
  yield* tx.saveSent(request, appended);
}
