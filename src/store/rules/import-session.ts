// Stages the lines of an import, and makes a session of them in one transaction. Lines are checked before they are staged.
import { HubError } from '../../contract/errors.js';
import { messageIdOf, threadIdPattern } from '../../contract/ids.js';
import { limits } from '../../contract/limits.js';
import type { Line } from '../../contract/transfer/lines.js';
import { mayCreate } from '../../session/decide-administration.js';
import { requireMayClose } from '../../session/decide-closing.js';
import { importInvalid, importUnknown, sessionTaken } from '../../session/transfer/decide-import.js';
import type { Appended } from '../../ports/store.js';
import type { FinishImportPlan, StagedImport, StagePlan } from '../../ports/transfer.js';
import { columnsInLine, rowOfLine, sessionColumns, tableCalled, transferTables } from '../rows/transfer-rows.js';
import { messages as messageTable, type Row } from '../rows/tables.js';
import { appendAudit } from '../sql/audit.js';
import {
  countImports,
  deleteImport,
  findImport,
  findSessionRow,
  insertPart,
  insertSessionRow,
  partLines,
} from '../sql/transfer.js';
import { pendingColumns } from './export-session.js';
import { requireRoomForSession } from './sessions.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

export function* stageImport(tx: Statements, plan: StagePlan): Steps<StagedImport> {
  const { sessionId, part, target, progress, lines } = plan;
  const before = yield* findImport(tx, plan);
  if (part !== (before?.parts ?? 0) + 1) throw importUnknown();
  if (before === null) {
    if ((yield* findSessionRow(tx, target)) !== undefined) throw sessionTaken(target);
    yield* requireRoomForImport(tx, sessionId);
  }
  const bytes = (before?.bytes ?? 0) + lines.length;
  if (bytes > limits.importBytes) throw tooLarge();
  if (!(yield* insertPart(tx, { ...plan, bytes }))) throw importUnknown();
  return { parts: part, bytes, target, progress };
}

function* requireRoomForImport(tx: Statements, sessionId: string): Steps<void> {
  if ((yield* countImports(tx, sessionId)) < limits.imports) return;
  throw new HubError('LIMIT_REACHED', `${limits.imports} imports have begun and are not complete, the most allowed.`, {
    hint: 'Complete one of them. Those that were given up are deleted after an hour.',
    details: { limit: limits.imports },
  });
}

function tooLarge(): HubError {
  return new HubError('TOO_LARGE', `The import is larger than ${limits.importBytes} bytes, the most allowed.`, {
    hint: 'Raise `limits.importBytes` in the hub’s config file.',
    details: { limit: limits.importBytes },
  });
}

export function* finishImport(tx: Statements, plan: FinishImportPlan): Steps<void> {
  const { sessionId, from, importId, owner, createdBySession, audit } = plan;
  const staged = yield* findImport(tx, { sessionId: from, importId });
  if (staged === null || staged.target !== sessionId) throw importUnknown();
  if (!mayCreate(createdBySession, sessionId)) throw sessionTaken(sessionId);
  yield* requireRoomForSession(tx);
  let salt = 0;
  for (let part = 1; part <= staged.parts; part += 1) {
    const text = yield* partLines(tx, from, { importId, part });
    // Its time was over.
    if (text === undefined) throw importUnknown();
    // Safe: each line has passed the schema of its kind before it was staged.
    const lines = text.split('\n').map((line) => JSON.parse(line) as Line);
    const session = lines.find((line) => line.kind === 'session');
    if (session !== undefined) {
      if (session.closedAt !== undefined || session.expiresAt !== undefined) requireMayClose(sessionId);
      const row = { ...rowOfLine(sessionColumns, session), created_by_session: createdBySession };
      if (!(yield* insertSessionRow(tx, sessionId, row))) throw sessionTaken(sessionId);
      ({ salt } = session);
    }
    yield* insertLines(tx, { sessionId, owner, salt }, lines);
  }
  yield* requireReferences(tx, sessionId);
  yield* freeCopiesOfEndedDigests(tx, sessionId);
  yield* tx.dropLettersSentAgain(sessionId);
  yield* deleteImport(tx, { sessionId: from, importId });
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

/**
 * What must be in the file too. Of removed agents only messages remain, so senders may be missing; so may any message but
 * the newest, also the opening of a critical thread that is closed: --retain-days deletes old ones.
 */
const references: readonly { what: string; sql: string }[] = [
  {
    what: 'a member of a thread that is not in it',
    sql: `select m.thread_id as id from member m where m.session_id = ? and not exists
      (select 1 from thread t where t.session_id = m.session_id and t.id = m.thread_id) limit 1`,
  },
  {
    what: 'a thread’s member who is no agent in it',
    sql: `select m.agent_id as id from member m where m.session_id = ? and not exists
      (select 1 from agent a where a.session_id = m.session_id and a.id = m.agent_id) limit 1`,
  },
  {
    what: 'a critical thread without its facts',
    sql: `select t.id as id from thread t where t.session_id = ? and t.is_critical = 1 and not exists
      (select 1 from critical_thread c where c.session_id = t.session_id and c.thread_id = t.id) limit 1`,
  },
  {
    what: 'the facts of a critical thread that is not in it',
    sql: `select c.thread_id as id from critical_thread c where c.session_id = ? and not exists
      (select 1 from thread t where t.session_id = c.session_id and t.id = c.thread_id and t.is_critical = 1) limit 1`,
  },
  {
    what: 'an answer in a critical thread that is not in it',
    sql: `select a.thread_id as id from critical_answer a where a.session_id = ? and not exists
      (select 1 from critical_thread c where c.session_id = a.session_id and c.thread_id = a.thread_id) limit 1`,
  },
  {
    what: 'an attachment’s use without the attachment',
    sql: `select u.hash as id from attachment_use u where u.session_id = ? and not exists
      (select 1 from attachment a where a.session_id = u.session_id and a.hash = u.hash) limit 1`,
  },
  {
    what: 'an attachment that no message uses',
    sql: `select a.hash as id from attachment a where a.session_id = ? and not exists
      (select 1 from attachment_use u where u.session_id = a.session_id and u.hash = a.hash) limit 1`,
  },
  {
    what: 'a name that is both an agent and a group',
    sql: `select a.id as id from agent a where a.session_id = ? and exists
      (select 1 from agent_group g where g.session_id = a.session_id and g.name = a.id) limit 1`,
  },
  {
    what: 'a pending copy for an agent that is not in it; if it was removed during the export, export again. The agent',
    sql: `select p.agent_id as id from pending p where p.session_id = ? and not exists
      (select 1 from agent a where a.session_id = p.session_id and a.id = p.agent_id) limit 1`,
  },
];

function* requireReferences(tx: Statements, sessionId: string): Steps<void> {
  for (const { what, sql } of references) {
    const found = yield* tx.get<{ id: string }>(sql, [sessionId]);
    if (found !== undefined) throw importInvalid(`it has ${what}: ${found.id}`);
  }
  // Any other text is a label, which needs no thread.
  const labels = yield* tx.all<{ id: string }>(
    `select distinct m.thread_id as id from message m
     where m.session_id = ? and m.thread_id is not null and m.thread_id > 't' and m.thread_id < 'u'
       and length(m.thread_id) = 13 and not exists
       (select 1 from thread t where t.session_id = m.session_id and t.id = m.thread_id)`,
    [sessionId],
  );
  const foreign = labels.find(({ id }) => threadIdPattern.test(id));
  if (foreign !== undefined) throw importInvalid(`it has a message of a thread that is not in it: ${foreign.id}`);
}

/** The digest was read after its notices were exported. */
function* freeCopiesOfEndedDigests(tx: Statements, sessionId: string): Steps<void> {
  // uses pending's key
  yield* tx.run(
    `update pending set digest = null where session_id = ? and digest is not null and not exists
       (select 1 from pending d where d.session_id = pending.session_id and d.agent_id = pending.agent_id
          and d.lane in (0, 1) and d.rank in (0, 1, 2, 3) and d.seq = pending.digest)`,
    [sessionId],
  );
}
