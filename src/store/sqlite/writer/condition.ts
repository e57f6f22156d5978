// Whether the database can be written now, and what refuses writes if not. Told to the hub, which says so in /readyz.
import type { ErrorCode, HubError } from '../../../contract/errors.js';
import { DatabaseFiles } from './database-files.js';
import { whyNoRoom } from './disk-room.js';
import { pageBytes } from './driver.js';
import type { HeldNote } from './held-note.js';
import { HeldWrites } from './held-writes.js';
import { isDamaged, isFull } from './result-code.js';
import { malformed, storeDamaged, storeFailed, storeFull } from './store-errors.js';
import type { Tx } from './transaction.js';

export interface ConditionOptions {
  folder: string;
  databasePath: string;
  storeMaxBytes: number | null;
  note: HeldNote;
  /** Notes the run in the database, if the disk refused it at the start; false if it still does. */
  noteRun?: ((tx: Tx) => boolean) | undefined;
  /** Null: writes are accepted again. */
  onChange: (code: ErrorCode | null, message: string) => void;
}

/** How often a disk that refused a write is asked again. The reaper calls every second. */
const retryMs = 500;
/** About what a held call adds to the log; most change the same pages. */
const bytesPerCall = 1_024;
/** Left below the bound before the store counts as not full. */
const pagesMin = 16;
/** What leases and confirmations may use beyond the bound: they make no message. */
const reservedPages = 1_024;

export class StoreCondition {
  readonly held: HeldWrites;
  readonly #options: ConditionOptions;
  readonly #files: DatabaseFiles;
  #fault: HubError | null = null;
  /** The bound of --store-max-mb was reached, and not the end of the disk. */
  #isAtBound = false;
  #tryAgainAt = 0;
  #mustNoteRun: boolean;

  constructor(options: ConditionOptions) {
    this.#options = options;
    this.#mustNoteRun = options.noteRun !== undefined;
    this.held = new HeldWrites(options.note);
    this.#files = new DatabaseFiles(options.databasePath);
  }

  /** What refuses every write now. */
  refusal(tx: Tx): HubError | undefined {
    const refusal = this.#askAgain(tx);
    // Before anything is handed out that is not held.
    if (refusal === undefined && this.#mustNoteRun) this.#mustNoteRun = this.#options.noteRun?.(tx) === false;
    return refusal;
  }

  /** Asks the disk again if it is time to. */
  #askAgain(tx: Tx): HubError | undefined {
    const fault = this.#fault;
    if (fault === null) return undefined;
    if (fault.code === 'STORE_DAMAGED') return fault;
    if (this.#isAtBound) {
      if (pagesLeft(tx, this.#pagesMax) >= pagesMin) this.#set(null);
      // Some writes still fit, and some make room.
      return undefined;
    }
    if (performance.now() < this.#tryAgainAt) return fault;
    this.#tryAgainAt = performance.now() + retryMs;
    const why = whyNoRoom(this.#options.folder, this.held.count * bytesPerCall);
    if (why !== null) return this.#set(faultOf(why));
    if (!this.held.settle(tx)) return fault;
    this.#set(null);
    return undefined;
  }

  /** After a write that failed for want of room. */
  outOfRoom(error: unknown): HubError {
    const why = whyNoRoom(this.#options.folder);
    this.#isAtBound = isFull(error) && this.#pagesMax !== null && why === null;
    this.#tryAgainAt = performance.now() + retryMs;
    const isFullNow = isFull(error) || why === 'STORE_FULL';
    return this.#set(isFullNow ? storeFull(error) : storeFailed(error));
  }

  get isAtBound(): boolean {
    return this.#isAtBound;
  }

  /** Runs `write` with the reserve of leases and confirmations; only a store with a bound has one. */
  withReserve<Result>(tx: Tx, write: () => Result): Result | undefined {
    if (!this.#isAtBound || this.#pagesMax === null) return undefined;
    tx.set(`max_page_count = ${this.#pagesMax + reservedPages}`);
    try {
      return write();
    } finally {
      tx.set(`max_page_count = ${this.#pagesMax}`);
    }
  }

  /** Never ends while the hub runs: what was written since may be lost, and more could be. */
  noteDamage(error: unknown): HubError | undefined {
    if (!isDamaged(error)) return undefined;
    return this.#set(malformed(error, this.#options.folder));
  }

  /** After a commit and before its answer: what was committed to a file that is gone is refused. */
  checkFiles(): HubError | undefined {
    const path = this.#files.missing();
    if (path === undefined) return undefined;
    const { folder } = this.#options;
    return this.#set(
      storeDamaged(`${path} was removed or replaced under the running hub. This call is lost.`, { folder }),
    );
  }

  close(tx: Tx): void {
    if (tx.isHeld) this.held.settle(tx);
    this.#options.note.close();
  }

  get #pagesMax(): number | null {
    const { storeMaxBytes } = this.#options;
    return storeMaxBytes === null ? null : Math.ceil(storeMaxBytes / pageBytes);
  }

  #set(fault: HubError): HubError;
  #set(fault: null): void;
  #set(fault: HubError | null): HubError | null {
    if (this.#fault?.code !== fault?.code) this.#options.onChange(fault?.code ?? null, fault?.message ?? '');
    this.#fault = fault;
    return fault;
  }
}

function faultOf(code: 'STORE_FULL' | 'STORE_FAILED'): HubError {
  return code === 'STORE_FULL' ? storeFull() : storeFailed();
}

function pagesLeft(tx: Tx, pagesMax: number | null): number {
  if (pagesMax === null) return Infinity;
  const used = tx.get<{ page_count: number }>('pragma page_count')?.page_count ?? 0;
  const free = tx.get<{ freelist_count: number }>('pragma freelist_count')?.freelist_count ?? 0;
  return pagesMax - used + free;
}
