// What statement files use: cached prepared statements, and the memory of the writer.
import type { CommitNews, CopyKey, HandedOver } from '../../../ports/store.js';
import { PageBytes, type WeighedRow } from '../../rows/rows-within.js';
import { KeptWaits, type StoredCopy } from '../../rules/kept-waits.js';
import type { Statements } from '../../rules/statements.js';
import { ClockJumps } from '../inbox/clock-jumps.js';
import type { OnlyMail } from '../inbox/only-mail.js';
import { statementsOf } from '../statements.js';
import type { StoreCondition } from './condition.js';
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
  /** Waits that found nothing. */
  readonly waits = new KeptWaits();
  /** Undoes the changes of the batch to what is kept beside the memory and cannot be read again, the last one first. */
  readonly onRollback: (() => void)[] = [];
  /** Copies of this batch whose readers have a kept wait. */
  readonly awaitedCopies: StoredCopy[] = [];
  /** Null while the batch has commands after which it would not be known. */
  onlyMail: OnlyMail | null = null;
  /** What this batch has leased for kept waits. */
  handed: HandedOver[] = [];
  /** Why nothing was handed over, to be reported. */
  readonly bugs: string[] = [];
  /** What was handed in batches whose answers the hub had not received when it made the current calls; by token. */
  readonly handedUnseen = new Map<string, { keys: CopyKey[]; batch: number }>();
  /** The hub's, when it sent the batch. */
  time = { now: 0, monotonicNow: 0 };
  readonly clockJumps = new ClockJumps();
  /** Of a hub's writer: whether the database can be written now. */
  condition: StoreCondition | undefined;
  /** The open transaction is that of held-writes.ts, which is committed once the disk has room. */
  isHeld = false;
  /** Set by a write; the batch clears it before each command. */
  hasWritten = false;
  /** Bytes of attachments written since the last checkpoint request. */
  attachmentBytes = 0;
  /** Rows changed by single statements since then; those of sends are counted by their calls. */
  rowsWritten = 0;
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

  /** The rows that fit in a page, and one more, which shows that there are others. Reads no further. */
  page<Row extends WeighedRow>(sql: string, values: readonly SqlValue[], bytesMax?: number): Row[] {
    this.insertDeferredRows();
    const page = new PageBytes(bytesMax);
    const rows: Row[] = [];
    // Safe: as in `get`.
    for (const row of this.#prepared(sql).iterate(...values) as Iterable<Row>) {
      rows.push(row);
      if (!page.fits(row)) break;
    }
    return rows;
  }

  /** Returns how many rows changed. */
  run(sql: string, values: readonly SqlValue[] = []): number {
    this.insertDeferredRows();
    this.hasWritten = true;
    const changes = Number(this.#prepared(sql).run(...values).changes);
    this.rowsWritten += changes;
    return changes;
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

  /** Undoes all but the first changes. */
  undoChanges(first: number): void {
    for (const undo of this.onRollback.splice(first).toReversed()) undo();
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
