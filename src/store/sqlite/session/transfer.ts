// Rows of a session as they are exported and imported. A copy refers to its message by the number of the row.
import type { MessageRow } from '../../rows/message-row.js';
import { recipientsOf } from '../../rows/receipt-row.js';
import { tableCalled } from '../../rows/transfer-rows.js';
import type { Row } from '../../rows/tables.js';
import { rangeSql, type KeyRange } from '../../sql/key-range.js';
import type { KeysQuery, TransferCopies, TransferKey, TransferRows } from '../../rules/statements.js';
import { nextRow } from '../send/insert-message.js';
import { unpackAppended, type PackedAppended } from '../send/packed-send.js';
import type { SqlValue } from '../writer/driver.js';
import type { Tx } from '../writer/transaction.js';

const pendingColumns = [...tableCalled('pending').key, ...tableCalled('pending').columns].join(', ');
const endedColumns = tableCalled('delivery').columns.join(', ');

export function transferCopies(tx: Tx, sessionId: string, messages: readonly MessageRow[]): TransferCopies {
  const pending: Row[] = [];
  const ended: Row[] = [];
  for (const message of messages) {
    const { seq, rank } = message;
    // uses message_by_seq, then delivery's key
    const endedHere = tx.all<Row & { agent_id: string }>(
      `select ? as seq, agent_id, ${endedColumns} from delivery
       where n = (select n from message where session_id = ? and seq = ?) and session_id = ?`,
      [seq, sessionId, seq, sessionId],
    );
    ended.push(...endedHere);
    const isEnded = new Set(endedHere.map((copy) => copy.agent_id));
    for (const agentId of recipientsOf(message)) {
      if (isEnded.has(agentId)) continue;
      // uses pending's key
      const found = tx.get<Row>(
        `select ${pendingColumns} from pending
         where session_id = ? and agent_id = ? and lane in (0, 1) and rank = ? and seq = ?`,
        [sessionId, agentId, rank, seq],
      );
      if (found !== undefined) pending.push(found);
    }
  }
  return { pending, ended };
}

export function transferKeys(tx: Tx, sessionId: string, { after, now, lastSeq, limit }: KeysQuery): TransferKey[] {
  // uses idempotency_by_key
  const rows = tx.all<{ sender: string; key: string; hash: string; result: string; expires_at: number }>(
    `select sender, key, hash, result, expires_at from idempotency
     where session_id = ? and (sender, key) > (?, ?) and expires_at > ?
       and coalesce(json_extract(result, '$[0]'), 0) <= ? order by sender, key limit ?`,
    [sessionId, after?.sender ?? '', after?.key ?? '', now, lastSeq, limit],
  );
  return rows.map(({ result, expires_at: expiresAt, ...row }) => ({
    ...row,
    expiresAt,
    ...answerOf(result, row.sender),
  }));
}

function answerOf(text: string, sender: string): { seq: number | null; result: unknown } {
  const stored: unknown = JSON.parse(text);
  // Only the result of a send is packed as a list.
  if (!Array.isArray(stored)) return { seq: null, result: stored };
  // Safe: written by packAppended.
  const appended = unpackAppended(stored as unknown as PackedAppended, sender);
  const { seq, threadId, recipients, undelivered, mentions, droppedMentions, isInterrupt } = appended;
  return { seq, result: { threadId, recipients, undelivered, mentions, droppedMentions, isInterrupt } };
}

export function insertTransferRows(tx: Tx, sessionId: string, { table, columns, rows }: TransferRows): void {
  const names = ['session_id', ...columns];
  if (table === 'message') {
    const sql = insertOf(table, ['n', ...names]);
    for (const row of rows) tx.run(sql, [nextRow(tx), sessionId, ...valuesOf(columns, row)]);
    return;
  }
  if (table === 'pending' || table === 'delivery') {
    const kept = table === 'delivery' ? columns.filter((column) => column !== 'seq') : columns;
    // uses message_by_seq
    const sql = `insert into ${table} (n, session_id, ${kept.join(', ')})
      select n, session_id, ${kept.map(() => '?').join(', ')} from message where session_id = ? and seq = ?`;
    for (const row of rows) tx.run(sql, [...valuesOf(kept, row), sessionId, row['seq'] ?? null]);
    return;
  }
  const sql = insertOf(table, names);
  for (const row of rows) tx.run(sql, [sessionId, ...valuesOf(columns, row)]);
}

function insertOf(table: string, columns: readonly string[]): string {
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
}

function valuesOf(columns: readonly string[], row: Row): SqlValue[] {
  return columns.map((column) => row[column] ?? null);
}

export function insertAttachment(
  tx: Tx,
  sessionId: string,
  { hash, mediaType, bytes }: { hash: string; mediaType: string; bytes: Uint8Array },
): void {
  tx.run('insert into attachment (session_id, hash, media_type, data) values (?, ?, ?, ?) on conflict do nothing', [
    sessionId,
    hash,
    mediaType,
    bytes,
  ]);
  tx.attachmentBytes += bytes.length;
}

export function dropLettersSentAgain(tx: Tx, sessionId: string, range: KeyRange): void {
  const { where, values } = rangeSql(range, 'dead_letter');
  // uses dead_letter_by_session, message_by_seq and delivery's key
  tx.run(
    `delete from dead_letter where session_id = ? and ${where} and not exists (select 1 from message m
       join delivery d on d.n = m.n and d.agent_id = dead_letter.recipient and d.state <> 'read'
       where m.session_id = dead_letter.session_id and m.seq = dead_letter.seq)`,
    [sessionId, ...values],
  );
}

export function forgetIndexes(tx: Tx, sessionId: string): void {
  tx.run('delete from message_span where session_id = ?', [sessionId]);
}
