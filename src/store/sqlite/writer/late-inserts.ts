// Rows of a batch that are inserted together: one statement for many rows costs a third less than one statement each.
// Whoever asks the database anything in between sees them, because the transaction inserts them first.
import type { Database, SqlValue, Statement } from './driver.js';

/** One table's rows; `columns` is the order in which their values are given. */
export interface LateInsert {
  table: string;
  columns: readonly string[];
}

const rowsPerStatement = [32, 8, 1] as const;

export class LateInserts {
  readonly #database: Database;
  readonly #tables = new Map<LateInsert, LateRows>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The values of all rows so far, one after the other: push one row's values to add a row. */
  rowsOf(insert: LateInsert): SqlValue[] {
    let rows = this.#tables.get(insert);
    if (rows === undefined) {
      rows = new LateRows(this.#database, insert);
      this.#tables.set(insert, rows);
    }
    return rows.values;
  }

  insert(): void {
    for (const rows of this.#tables.values()) rows.insert();
  }

  discard(): void {
    for (const rows of this.#tables.values()) rows.values.length = 0;
  }
}

class LateRows {
  readonly values: SqlValue[] = [];
  readonly #width: number;
  readonly #statements: { rows: number; statement: Statement }[];

  constructor(database: Database, { table, columns }: LateInsert) {
    this.#width = columns.length;
    const row = `(${columns.map(() => '?').join(', ')})`;
    this.#statements = rowsPerStatement.map((rows) => {
      const sql = `insert into ${table} (${columns.join(', ')}) values ${Array.from({ length: rows }, () => row).join(', ')}`;
      return { rows, statement: database.prepare(sql) };
    });
  }

  insert(): void {
    if (this.values.length === 0) return;
    let done = 0;
    for (const { rows, statement } of this.#statements) {
      const length = rows * this.#width;
      for (; done + length <= this.values.length; done += length) {
        statement.run(...this.values.slice(done, done + length));
      }
    }
    this.values.length = 0;
  }
}
