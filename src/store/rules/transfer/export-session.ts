// Reads a session in the lines of an export.
import type { Line } from '../../../contract/transfer/lines.js';
import type { ExportedMessage, Position, StateQuery } from '../../../ports/transfer.js';
import type { MessageRow } from '../../rows/message-row.js';
import { messages as messageTable, type Row } from '../../rows/tables.js';
import { columnsInLine, fieldsOf, sessionColumns, tableCalled, transferTables } from '../../rows/transfer-rows.js';
import { attachmentUses, findSessionRow, messagesBetween, stateRows } from '../../sql/transfer.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

/** Null if there is no such session. */
export function* exportHead(
  tx: Statements,
  { sessionId }: { sessionId: string },
): Steps<{ session: Line<'session'>; lastSeq: number } | null> {
  const row = yield* findSessionRow(tx, sessionId);
  if (row === undefined) return null;
  const fields = fieldsOf(sessionColumns, row);
  return { session: lineOf('session', fields), lastSeq: yield* tx.lastSeqOf(sessionId) };
}

/** Each message with the states of its copies, of one snapshot. */
export function* exportMessages(
  tx: Statements,
  { sessionId, after, lastSeq, limit }: { sessionId: string; after: number; lastSeq: number; limit: number },
): Steps<{ messages: ExportedMessage[]; hasMore: boolean }> {
  const { rows, hasMore } = yield* messagesBetween(tx, sessionId, { after, lastSeq, limit });
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return { messages: [], hasMore };
  const { pending, ended } = yield* tx.transferCopies(sessionId, rows);
  const uses = yield* attachmentUses(tx, sessionId, { from: first.seq, to: last.seq });
  const copies = new Map<number, Line<'copy'>[]>();
  for (const row of ended) add(copies, row, lineOf('copy', fieldsOf(endedColumns, row)));
  for (const row of pending) add(copies, row, pendingLine(row, lastSeq));
  const messages = rows.map((row) => {
    const used = uses.filter(({ seq }) => seq === row.seq);
    return {
      message: messageLine(
        row,
        used.map(({ hash }) => hash),
      ),
      copies: (copies.get(row.seq) ?? []).toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1)),
      attachments: used
        .filter(({ first: firstUse }) => firstUse === row.seq)
        .map(({ hash, media_type: mediaType }) => ({ hash, mediaType })),
    };
  });
  return { messages, hasMore };
}

const messageColumns = columnsInLine(messageTable);
const endedColumns = columnsInLine(tableCalled('delivery'));
// A lease is valid only between a hub and its client; the rank is the message's.
const notInLine = new Set(['rank', 'lease_token', 'lease_until', 'is_manual']);
export const pendingColumns = columnsInLine(tableCalled('pending')).filter((column) => !notInLine.has(column));

function messageLine(row: MessageRow, attachments: string[]): Line<'message'> {
  const fields = fieldsOf(messageColumns, { ...row });
  return lineOf('message', { ...fields, ...(attachments.length === 0 ? {} : { attachments }) });
}

function pendingLine(row: Row, lastSeq: number): Line<'copy'> {
  // A digest that is not exported does not stand for it.
  const digest = Number(row['digest'] ?? 0) > lastSeq ? null : (row['digest'] ?? null);
  return lineOf('copy', { state: 'pending', ...fieldsOf(pendingColumns, { ...row, digest }) });
}

function add(copies: Map<number, Line<'copy'>[]>, row: Row, line: Line<'copy'>): void {
  const seq = Number(row['seq']);
  const others = copies.get(seq);
  if (others === undefined) copies.set(seq, [line]);
  else others.push(line);
}

/** The next lines of one kind; `after` of the answer is null at the end. */
export function* exportState(
  tx: Statements,
  { sessionId, kind, after, lastSeq, now, limit }: StateQuery,
): Steps<{ lines: Line[]; after: Position | null }> {
  if (kind === 'idempotencyKey') {
    const [sender, key] = after ?? [];
    const start = sender === undefined || key === undefined ? null : { sender: String(sender), key: String(key) };
    const found = yield* tx.transferKeys(sessionId, { after: start, now, lastSeq, limit });
    const last = found.at(-1);
    return {
      lines: found.map(({ seq, result, ...row }) => lineOf(kind, { ...row, ...(seq === null ? {} : { seq }), result })),
      after: last === undefined || found.length < limit ? null : [last.sender, last.key],
    };
  }
  const table = transferTables.find((each) => each.kind === kind);
  if (table === undefined) throw new Error(`no table of ${kind}`);
  const rows = yield* stateRows(tx, table, { sessionId, after, lastSeq, limit });
  const columns = columnsInLine(table);
  const last = rows.at(-1);
  return {
    lines: rows.map((row) => lineOf(kind, fieldsOf(columns, row))),
    after: last === undefined || rows.length < limit ? null : table.key.map((column) => last[column] ?? ''),
  };
}

/** Safe: the fields are the columns of the kind's table; a test reads every line with its schema. */
function lineOf<Kind extends Line['kind']>(kind: Kind, fields: Record<string, unknown>): Line<Kind> {
  return { kind, ...fields } as unknown as Line<Kind>;
}
