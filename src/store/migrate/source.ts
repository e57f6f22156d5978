// The source: reads one snapshot of the data folder in key order.
import { openForReading } from '../sqlite/writer/open-for-reading.js';
import type { Database, SqlValue } from '../sqlite/writer/driver.js';
import { keysOf } from './source-keys.js';
import { idempotencyKeys, messages, sessions, type CopiedTable, type Row } from '../rows/tables.js';

/** Its row, with every column of the table. */
export type SourceSession = Row & { id: string; salt: number; created_at: number };

/** Rows per page: large enough for few round trips, small enough for memory even with long messages. */
const pageRows = 1_000;
const pageMessages = 250;

export class Source {
  readonly #database: Database;
  /** Keys that expired before are not copied. */
  readonly #now: number;

  constructor(folder: string, now: number) {
    this.#database = openForReading(folder);
    this.#now = now;
  }

  sessions(): SourceSession[] {
    // Safe: the columns are those selected; the same holds for the other casts here.
    return this.#all(`select id, ${sessions.columns.join(', ')} from session order by id`) as SourceSession[];
  }

  lastSeq(sessionId: string): number {
    // uses message_by_seq
    const row = this.#get('select seq from message where session_id = ? order by seq desc limit 1', sessionId);
    return (row as { seq: number } | undefined)?.seq ?? 0;
  }

  /** The highest number that a row of this table ever had. */
  lastNumber(table: 'dead_letter' | 'audit'): number {
    const row = this.#get('select seq from sqlite_sequence where name = ?', table);
    return (row as { seq: number } | undefined)?.seq ?? 0;
  }

  /** The public half of the hub's secret; undefined if nothing was encrypted with it. */
  hubIdentity(): Row | undefined {
    const sql = 'select kid, encryption, signing, vapid, created_at from hub_identity order by created_at, kid limit 1';
    return this.#get(sql) as Row | undefined;
  }

  pages(table: CopiedTable, sessionId: string): Generator<Row[]> {
    if (table === idempotencyKeys) return inPages(keysOf(this.#database, sessionId, this.#now));
    return this.#pages(table, sessionId, undefined);
  }

  messagesAfter(sessionId: string, seq: number): Generator<Row[]> {
    return this.#pages(messages, sessionId, { seq });
  }

  message(sessionId: string, seq: number): Row | undefined {
    const [row] = this.#page(messages, sessionId, { seq: seq - 1 });
    return row?.['seq'] === seq ? row : undefined;
  }

  /** Of all messages in this range of seqs. */
  attachmentUses(sessionId: string, from: number, to: number): Row[] {
    // uses attachment_use's key
    const sql = 'select seq, hash from attachment_use where session_id = ? and seq between ? and ? order by seq, hash';
    return this.#database.prepare(sql).all(sessionId, from, to) as Row[];
  }

  attachment(sessionId: string, hash: string): { media_type: string; data: Uint8Array } | undefined {
    // uses attachment_by_hash
    const row = this.#get('select media_type, data from attachment where session_id = ? and hash = ?', sessionId, hash);
    return row as { media_type: string; data: Uint8Array } | undefined;
  }

  close(): void {
    this.#database.close();
  }

  *#pages(table: CopiedTable, sessionId: string, start: Row | undefined): Generator<Row[]> {
    let after = start;
    for (;;) {
      const page = this.#page(table, sessionId, after);
      if (page.length === 0) return;
      yield page;
      after = page.at(-1);
    }
  }

  /** The next rows after a key; uses each table's key. */
  #page(table: CopiedTable, sessionId: string, after: Row | undefined): Row[] {
    const { name, key, columns, inSqlite = {}, fromSqlite = `${name} t`, sessionInSqlite = 't.session_id' } = table;
    const expressionOf = (column: string) => inSqlite[column] ?? `t.${column}`;
    const selected = [...key, ...columns].map((column) => `${expressionOf(column)} as ${column}`);
    const keyExpressions = key.map(expressionOf);
    const conditions = [`${sessionInSqlite} = ?`];
    const values: SqlValue[] = [sessionId];
    if (after !== undefined) {
      const start = key.map((column) => after[column] ?? null);
      // The first condition helps SQLite: for a key of two tables, it can seek by one of them only.
      conditions.push(
        `${keyExpressions[0]} >= ?`,
        `(${keyExpressions.join(', ')}) > (${keyExpressions.map(() => '?').join(', ')})`,
      );
      values.push(start[0] ?? null, ...start);
    }
    const limit = table === messages ? pageMessages : pageRows;
    const sql = `select ${selected.join(', ')} from ${fromSqlite} where ${conditions.join(' and ')}
      order by ${keyExpressions.join(', ')} limit ${limit}`;
    return this.#database.prepare(sql).all(...values) as Row[];
  }

  #get(sql: string, ...values: SqlValue[]): unknown {
    return this.#database.prepare(sql).get(...values);
  }

  #all(sql: string): unknown[] {
    return this.#database.prepare(sql).all();
  }
}

function* inPages(rows: Iterable<Row>): Generator<Row[]> {
  let page: Row[] = [];
  for (const row of rows) {
    if (page.push(row) < pageRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
