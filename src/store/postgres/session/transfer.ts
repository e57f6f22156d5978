// Rows of a session as they are exported and imported.
import type { MessageRow } from '../../rows/message-row.js';
import { recipientsOf } from '../../rows/receipt-row.js';
import type { Row } from '../../rows/tables.js';
import { rangeSql, type KeyRange } from '../../sql/key-range.js';
import { tableCalled } from '../../rows/transfer-rows.js';
import type { KeysQuery, TransferCopies, TransferKey, TransferRows } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';
import { keyText } from '../send/send-answer.js';

const { key: pendingKey, columns: pendingOthers } = tableCalled('pending');
const pendingColumns = [...pendingKey, ...pendingOthers];
const endedColumns = tableCalled('delivery').columns.join(', ');

/** In the snapshot of a read, so that a copy that is ending is seen exactly once. */
export async function transferCopies(
  tx: Tx,
  sessionId: string,
  messages: readonly MessageRow[],
): Promise<TransferCopies> {
  const copies = messages.flatMap((row) => recipientsOf(row).map((id) => ({ id, seq: row.seq, rank: row.rank })));
  // uses delivery's key
  const ended = await tx.all<Row>(
    `select seq, agent_id, ${endedColumns} from delivery where session_id = ? and seq = any(?::bigint[])`,
    [sessionId, messages.map(({ seq }) => seq)],
  );
  // uses pending's key, once per copy
  const pending = await tx.all<Row>(
    `select ${pendingColumns.map((column) => `p.${column}`).join(', ')}
     from unnest(?::text[], ?::integer[], ?::bigint[]) c (id, rank, seq) cross join (values (0), (1)) l (lane)
     cross join lateral (select ${pendingColumns.join(', ')} from pending
       where session_id = ? and agent_id = c.id and lane = l.lane and rank = c.rank and seq = c.seq offset 0) p`,
    [copies.map(({ id }) => id), copies.map(({ rank }) => rank), copies.map(({ seq }) => seq), sessionId],
  );
  return { pending, ended };
}

interface KeyRow {
  sender: string;
  key: string;
  hash: string;
  seq: number | null;
  result: string;
  expires_at: number;
}

export async function transferKeys(
  tx: Tx,
  sessionId: string,
  { after, now, lastSeq, limit }: KeysQuery,
): Promise<TransferKey[]> {
  // uses idempotency's key
  const rows = await tx.all<KeyRow>(
    `select sender, key, hash, seq, result, expires_at from idempotency
     where session_id = ? and (sender, key) > (?, ?) and expires_at > ? and coalesce(seq, 0) <= ?
     order by sender, key limit ?`,
    [sessionId, after?.sender ?? '', after === null ? '' : keyText(after.key), now, lastSeq, limit],
  );
  return rows.map(({ sender, key, hash, seq, result, expires_at: expiresAt }) => ({
    sender,
    key: JSON.parse(key) as string,
    hash,
    seq,
    expiresAt,
    result: JSON.parse(result) as unknown,
  }));
}

export async function insertTransferRows(
  tx: Tx,
  sessionId: string,
  { table, columns, rows }: TransferRows,
): Promise<void> {
  if (rows.length === 0) return;
  // No batch of a hub has the number 0.
  const [names, values] = table === 'message' ? [', origin', ', 0'] : ['', ''];
  await tx.run(
    `insert into ${table} (session_id, ${columns.join(', ')}${names})
     select ?, ${columns.join(', ')}${values} from json_populate_recordset(null::${table}, ?::json)`,
    [sessionId, JSON.stringify(rows)],
  );
}

export async function insertAttachment(
  tx: Tx,
  sessionId: string,
  { hash, mediaType, bytes }: { hash: string; mediaType: string; bytes: Uint8Array },
): Promise<void> {
  await tx.run(
    `insert into attachment (session_id, hash, media_type, data) values (?, ?, ?, ?)
     on conflict (session_id, hash) do nothing`,
    [sessionId, hash, mediaType, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
  );
}

export async function dropLettersSentAgain(tx: Tx, sessionId: string, range: KeyRange): Promise<void> {
  const { where, values } = rangeSql(range);
  // uses the keys of dead_letter and delivery
  await tx.run(
    `delete from dead_letter t where t.session_id = ? and ${where} and not exists (select 1 from delivery d
       where d.session_id = t.session_id and d.seq = t.seq and d.agent_id = t.recipient and d.state <> 'read')`,
    [sessionId, ...values],
  );
}

export async function forgetIndexes(tx: Tx, sessionId: string): Promise<void> {
  await tx.run('delete from word_mark where session_id = ?', [sessionId]);
}
