// What a statement file works with: prepared statements by their SQL, and what the writer remembers between commits.
import type { Database, SqlValue, Statement } from './driver.js';

export class Tx {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  readonly sessions = new Map<string, SessionMemory>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The row type is the caller's word: it names the columns it selects. */
  get<Row>(sql: string, ...parameters: SqlValue[]): Row | undefined {
    return this.#prepared(sql).get(...parameters) as Row | undefined;
  }

  all<Row>(sql: string, ...parameters: SqlValue[]): Row[] {
    return this.#prepared(sql).all(...parameters) as Row[];
  }

  /** Returns how many rows changed. */
  run(sql: string, ...parameters: SqlValue[]): number {
    return Number(this.#prepared(sql).run(...parameters).changes);
  }

  insert(sql: string, ...parameters: SqlValue[]): number {
    return Number(this.#prepared(sql).run(...parameters).lastInsertRowid);
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  get isOpen(): boolean {
    return this.#database.isTransaction;
  }

  /** What was undone must not be remembered. */
  forget(): void {
    this.sessions.clear();
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Kept so that a send need not read or write a counter row. */
export interface SessionMemory {
  salt: number;
  lastSeq: number;
}
