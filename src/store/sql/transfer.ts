// What a session's export reads, and the parts of an import that wait for the rest.
import type { ImportProgress, StagedImport, StagePlan } from '../../ports/transfer.js';
import { messageColumns, type MessageRow } from '../rows/message-row.js';
import { countWithin } from '../rows/rows-within.js';
import { sessions, type Row } from '../rows/tables.js';
import type { TransferTable } from '../rows/transfer-rows.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

export function* findSessionRow(tx: Statements, sessionId: string): Steps<Row | undefined> {
  return yield* tx.get<Row>(`select ${sessions.columns.join(', ')} from session where id = ?`, [sessionId]);
}

/** False if there is one already. */
export function* insertSessionRow(tx: Statements, sessionId: string, row: Row): Steps<boolean> {
  const columns = ['id', ...Object.keys(row)];
  const inserted = yield* tx.run(
    `insert into session (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) on conflict (id) do nothing`,
    [sessionId, ...Object.values(row)],
  );
  return inserted === 1;
}

export function* messagesBetween(
  tx: Statements,
  sessionId: string,
  { after, lastSeq, limit }: { after: number; lastSeq: number; limit: number },
): Steps<{ rows: MessageRow[]; hasMore: boolean }> {
  // uses message_by_seq, or message's key
  const rows = yield* tx.page<MessageRow>(
    `select ${messageColumns} from message where session_id = ? and seq > ? and seq <= ? order by seq limit ?`,
    { values: [sessionId, after, lastSeq, limit + 1], order: 'q.seq' },
  );
  const count = Math.min(limit, countWithin(rows));
  return { rows: rows.slice(0, count), hasMore: rows.length > count };
}

export interface AttachmentUse {
  seq: number;
  hash: string;
  media_type: string;
  /** The first message that uses it. */
  first: number;
}

export function* attachmentUses(
  tx: Statements,
  sessionId: string,
  { from, to }: { from: number; to: number },
): Steps<AttachmentUse[]> {
  // uses the keys of attachment_use and attachment, and attachment_use_by_hash
  return yield* tx.all<AttachmentUse>(
    `select u.seq, u.hash, a.media_type, (select f.seq from attachment_use f
       where f.session_id = u.session_id and f.hash = u.hash order by f.seq limit 1) as first
     from attachment_use u join attachment a on a.session_id = u.session_id and a.hash = u.hash
     where u.session_id = ? and u.seq >= ? and u.seq <= ? order by u.seq, u.hash`,
    [sessionId, from, to],
  );
}

export function* stateRows(
  tx: Statements,
  table: TransferTable,
  {
    sessionId,
    after,
    lastSeq,
    limit,
  }: { sessionId: string; after: readonly (string | number)[] | null; lastSeq: number; limit: number },
): Steps<Row[]> {
  const { name, key, columns, upTo } = table;
  const keys = key.map((column) => `t.${column}`).join(', ');
  const conditions = [
    't.session_id = ?',
    ...(upTo === undefined ? [] : [upTo]),
    ...(after === null ? [] : [`(${keys}) > (${key.map(() => '?').join(', ')})`]),
  ];
  // uses each table's key
  return yield* tx.all<Row>(
    `select ${[...key, ...columns].map((column) => `t.${column}`).join(', ')} from ${name} t
     where ${conditions.join(' and ')} order by ${keys} limit ?`,
    [sessionId, ...(upTo === undefined ? [] : [lastSeq]), ...(after ?? []), limit],
  );
}

export function* findImport(
  tx: Statements,
  { sessionId, importId }: { sessionId: string; importId: string },
): Steps<StagedImport | null> {
  // uses import_part's key
  const row = yield* tx.get<{ part: number; bytes: number; target: string; progress: string }>(
    `select part, bytes, target, progress from import_part where session_id = ? and import_id = ?
     order by part desc limit 1`,
    [sessionId, importId],
  );
  if (row === undefined) return null;
  const { part, bytes, target, progress } = row;
  return { parts: part, bytes, target, progress: JSON.parse(progress) as ImportProgress };
}

export function* countImports(tx: Statements, sessionId: string): Steps<number> {
  // uses import_part's key
  const row = yield* tx.get<{ count: number }>(
    'select count(distinct import_id) as count from import_part where session_id = ?',
    [sessionId],
  );
  return row?.count ?? 0;
}

/** False if another call has staged this part. */
export function* insertPart(tx: Statements, plan: StagePlan & { bytes: number }): Steps<boolean> {
  const { sessionId, importId, part, target, at, bytes, progress, lines } = plan;
  const changed = yield* tx.run(
    `insert into import_part (session_id, import_id, part, target, at, bytes, progress, lines)
     values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (session_id, import_id, part) do nothing`,
    [sessionId, importId, part, target, at, bytes, JSON.stringify(progress), lines],
  );
  return changed === 1;
}

export function* importPart(
  tx: Statements,
  { sessionId, importId, part }: { sessionId: string; importId: string; part: number },
): Steps<string | null> {
  // uses import_part's key
  const row = yield* tx.get<{ lines: string }>(
    'select lines from import_part where session_id = ? and import_id = ? and part = ?',
    [sessionId, importId, part],
  );
  return row?.lines ?? null;
}

/** One at a time, because a part may be large; the newest first, so that what is left cannot become a session. */
export function* deleteImport(
  tx: Statements,
  { sessionId, importId }: { sessionId: string; importId: string },
): Steps<{ hasMore: boolean }> {
  // uses import_part's key
  const deleted = yield* tx.run(
    `delete from import_part where session_id = ? and import_id = ? and part =
       (select max(l.part) from import_part l where l.session_id = ? and l.import_id = ?)`,
    [sessionId, importId, sessionId, importId],
  );
  return { hasMore: deleted > 0 };
}

export function* pruneImports(tx: Statements, { before }: { before: number }): Steps<{ hasMore: boolean }> {
  // uses import_part_by_time
  const old = yield* tx.get<{ sessionId: string; importId: string; part: number }>(
    `/* all sessions: imports that were given up */ select session_id as "sessionId", import_id as "importId", part
     from import_part where at < ? order by at limit 1`,
    [before],
  );
  if (old === undefined) return { hasMore: false };
  yield* tx.run('delete from import_part where session_id = ? and import_id = ? and part = ?', [
    old.sessionId,
    old.importId,
    old.part,
  ]);
  return { hasMore: true };
}
