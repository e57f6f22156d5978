// What a statement file works with: prepared statements by their SQL, and what the writer remembers between commits.
import type { Database, SqlValue, Statement } from './driver.js';
import { WriterMemory } from './writer-memory.js';

export class Tx {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  readonly memory = new WriterMemory();
  /** Set by the first write; the batch clears it before each command. */
  hasWritten = false;

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
    this.hasWritten = true;
    return Number(this.#prepared(sql).run(...parameters).changes);
  }

  /** The statement itself, for the two inserts of a send: handing its many values on costs more than the call. */
  insertInto(sql: string): Statement {
    this.hasWritten = true;
    return this.#prepared(sql);
  }

  /** A pragma takes effect while it is compiled, so it must never come from the statement cache. */
  set(pragma: string): void {
    this.#database.exec(`pragma ${pragma}`);
  }

  /** Begin, commit, rollback, savepoints: not counted as a write. */
  control(sql: string): void {
    this.#prepared(sql).run();
  }

  get isOpen(): boolean {
    return this.#database.isTransaction;
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
