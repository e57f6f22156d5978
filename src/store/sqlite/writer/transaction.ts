// What statement files use: cached prepared statements, and the memory of the writer.
import type { CommitNews } from '../../../ports/store.js';
import type { Statements } from '../../rules/statements.js';
import { statementsOf } from '../statements.js';
import type { Database, SqlValue, Statement } from './driver.js';
import { DeferredInserts, type DeferredInsert } from './deferred-inserts.js';
import { WriterMemory } from './writer-memory.js';

export class Tx {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  readonly #deferred: DeferredInserts;
  #hasDeferredRows = false;
  readonly memory = new WriterMemory();
  /** The statements as rules call them. */
  readonly statements: Statements = statementsOf(this);
  /** Messages from `system` of this batch; their recipients are woken after the commit. */
  readonly notices: CommitNews[] = [];
  /** Set by a write; the batch clears it before each command. */
  hasWritten = false;
  /** Bytes of attachments written since the last checkpoint request. */
  attachmentBytes = 0;
  /** Buffers in this batch's results that are transferred to the other thread instead of copied. */
  readonly transferred: ArrayBuffer[] = [];

  constructor(database: Database) {
    this.#database = database;
    this.#deferred = new DeferredInserts(database);
  }

  /** The caller gives the row type of the columns that it selects; nothing checks it. */
  get<Row>(sql: string, values: readonly SqlValue[] = []): Row | undefined {
    this.insertDeferredRows();
    return this.#prepared(sql).get(...values) as Row | undefined;
  }

  /** Does not insert deferred rows first: for tables whose deferred rows the caller has in memory. */
  getStored<Row>(sql: string, values: readonly SqlValue[] = []): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, values: readonly SqlValue[] = []): Row[] {
    this.insertDeferredRows();
    return this.#prepared(sql).all(...values) as Row[];
  }

  /** Returns how many rows changed. */
  run(sql: string, values: readonly SqlValue[] = []): number {
    this.insertDeferredRows();
    this.hasWritten = true;
    return Number(this.#prepared(sql).run(...values).changes);
  }

  /** For the many rows of a send: push the values of a row. They are inserted before the next statement or the commit. */
  rowsFor(insert: DeferredInsert): SqlValue[] {
    this.hasWritten = true;
    this.#hasDeferredRows = true;
    return this.#deferred.rowsOf(insert);
  }

  /**
   * Inserts the rows of several commands. This does not count as a write of the current command. But if it fails, the
   * command at fault is unknown, so the current one counts as having written and the batch is rolled back.
   */
  insertDeferredRows(): void {
    if (!this.#hasDeferredRows) return;
    try {
      this.#deferred.insert();
    } catch (error) {
      this.hasWritten = true;
      throw error;
    }
    this.#hasDeferredRows = false;
  }

  discardDeferredRows(): void {
    this.#deferred.discard();
    this.#hasDeferredRows = false;
  }

  /** For bytes that this thread no longer reads. */
  transfer({ buffer, byteLength }: Uint8Array): void {
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) this.transferred.push(buffer);
  }

  /** A pragma takes effect when it is compiled, so it must not come from the statement cache. */
  set(pragma: string): void {
    this.#database.exec(`pragma ${pragma}`);
  }

  /** Begin, commit, rollback, savepoints: these do not count as writes. */
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
