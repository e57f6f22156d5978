// What a statement file works with: prepared statements by their SQL, and what the writer remembers between commits.
import type { Appended } from '../../../ports/store.js';
import type { Statements } from '../../rules/statements.js';
import { statementsOf } from '../statements.js';
import type { Database, SqlValue, Statement } from './driver.js';
import { LateInserts, type LateInsert } from './late-inserts.js';
import { WriterMemory } from './writer-memory.js';

export class Tx {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  readonly #late: LateInserts;
  #hasLateRows = false;
  readonly memory = new WriterMemory();
  /** As rules call them. */
  readonly statements: Statements = statementsOf(this);
  /** Messages the hub wrote by itself in this batch; their readers are to be woken after the commit. */
  readonly notices: { sessionId: string; appended: Appended }[] = [];
  /** Set by the first write; the batch clears it before each command. */
  hasWritten = false;
  /** Bytes of attachments written since the last look. */
  bytesKept = 0;
  /** Buffers that this batch's answers hand over to the other thread instead of copying them. */
  readonly handedOver: ArrayBuffer[] = [];

  constructor(database: Database) {
    this.#database = database;
    this.#late = new LateInserts(database);
  }

  /** The row type is the caller's word: it names the columns it selects. */
  get<Row>(sql: string, values: readonly SqlValue[] = []): Row | undefined {
    this.insertLateRows();
    return this.#prepared(sql).get(...values) as Row | undefined;
  }

  /** A look that does not insert late rows first: for tables whose late rows the caller knows by itself. */
  getStored<Row>(sql: string, values: readonly SqlValue[] = []): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, values: readonly SqlValue[] = []): Row[] {
    this.insertLateRows();
    return this.#prepared(sql).all(...values) as Row[];
  }

  /** Returns how many rows changed. */
  run(sql: string, values: readonly SqlValue[] = []): number {
    this.insertLateRows();
    this.hasWritten = true;
    return Number(this.#prepared(sql).run(...values).changes);
  }

  /** For the many rows of a send: push one row's values. They are inserted with the next question, or before the commit. */
  rowsFor(insert: LateInsert): SqlValue[] {
    this.hasWritten = true;
    this.#hasLateRows = true;
    return this.#late.rowsOf(insert);
  }

  /**
   * Rows of several commands go in together. That is no write of the command that asked; but should it fail, no one
   * command is to blame, and the one that asked counts as half done.
   */
  insertLateRows(): void {
    if (!this.#hasLateRows) return;
    try {
      this.#late.insert();
    } catch (error) {
      this.hasWritten = true;
      throw error;
    }
    this.#hasLateRows = false;
  }

  discardLateRows(): void {
    this.#late.discard();
    this.#hasLateRows = false;
  }

  /** For bytes that nothing here looks at any more. */
  handOver({ buffer, byteLength }: Uint8Array): void {
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) this.handedOver.push(buffer);
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
