// Sends calls to the writer thread: calls of one turn of the event loop are sent together, and what arrives while the writer
// commits a batch is its next batch. No timer, except that confirmations may wait briefly to share another commit.
import { Worker } from 'node:worker_threads';
import { HubError, hubErrorFrom, type ErrorCode } from '../../../contract/errors.js';
import { limits } from '../../../contract/limits.js';
import { kindOf, type CallKind, type CommandName } from '../commands.js';
import type { Clock } from '../../../ports/clock.js';
import type { CommitNews, HandedOver } from '../../../ports/store.js';
import type { FromWriter, ToWriter, WriterOptions } from './writer-thread.js';

export interface GroupCommitOptions extends Omit<WriterOptions, 'limits'> {
  onBatch(commands: number, ms: number): void;
  /** Messages from `system` that the store wrote: their recipients must be woken. */
  onNotices(notices: readonly CommitNews[]): void;
  /** Without it, no request of a wait may be kept. */
  waits?: {
    clock: Pick<Clock, 'now' | 'monotonic'>;
    onHanded(handed: readonly HandedOver[]): void;
  };
  onBug(command: string, stack: string): void;
  /** Writes are refused with this code from now on, or accepted again: null. */
  onCondition?(code: ErrorCode | null, message: string): void;
  /** The outcome of a commit is unknown or the thread died: the process must stop. */
  onBroken(message: string): void;
}

interface Waiting {
  name: CommandName;
  resolve(value: unknown): void;
  reject(error: HubError): void;
}

/** How long a deferrable command may wait to share a commit. */
const deferMs = 50;
const idleMs = 20;

export class GroupCommit {
  readonly #worker: Worker;
  readonly #options: GroupCommitOptions;
  /** Not sent yet. */
  #calls: [CommandName, unknown][] = [];
  /** Buffers in these calls that are transferred instead of copied. */
  #transfers: ArrayBuffer[] = [];
  /** Calls without an answer, oldest first; the writer answers each kind in that order. */
  readonly #waiting: Record<CallKind, Waiting[]> = { writes: [], reads: [] };
  /** How many writes were answered so far, and what waits for the first `upTo` of them. */
  #answeredWrites = 0;
  readonly #barriers: { upTo: number; resolve(): void }[] = [];
  /** Batches answered so far, and when the first call that is not sent yet was made. */
  #batchesSeen = 0;
  #batchesSeenBefore = 0;
  #isScheduled = false;
  #deferTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #closed: (() => void) | undefined;
  #isBroken = false;

  private constructor(worker: Worker, options: GroupCommitOptions) {
    this.#worker = worker;
    this.#options = options;
  }

  static async start(options: GroupCommitOptions): Promise<GroupCommit> {
    const { folder, storeMaxBytes, monotonicNow, manualLeaseMs, boot, hasClock } = options;
    const workerData: WriterOptions = { folder, storeMaxBytes, monotonicNow, manualLeaseMs, boot, hasClock, limits };
    const worker = new Worker(new URL('./writer-thread.js', import.meta.url), { workerData });
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (message: FromWriter) => {
        worker.off('error', reject);
        if (message.kind === 'failed') reject(hubErrorFrom(message.error));
        else resolve();
      });
    });
    const queue = new GroupCommit(worker, options);
    worker.on('message', (message: FromWriter) => queue.#receive(message));
    worker.on('error', (error) => queue.#break(error.stack ?? error.message));
    return queue;
  }

  /** With `mayDefer` the command is sent with the next calls, at the latest after `deferMs`. */
  submit(name: CommandName, argument: unknown, mayDefer = false, transfers?: ArrayBuffer[]): Promise<unknown> {
    if (this.#isBroken || this.#closed !== undefined) return Promise.reject(unavailable());
    if (transfers !== undefined) this.#transfers.push(...transfers);
    return new Promise((resolve, reject) => {
      if (this.#calls.length === 0) this.#batchesSeenBefore = this.#batchesSeen;
      this.#calls.push([name, argument]);
      this.#waiting[kindOf(name)].push({ name, resolve, reject });
      if (mayDefer) this.#deferTimer ??= setTimeout(() => this.#send(), deferMs);
      else this.#schedule();
    });
  }

  /**
   * Resolves when every write called before is answered; undefined if it is so already. A write that may wait to share a
   * commit no longer waits then.
   */
  written(): Promise<void> | undefined {
    if (this.#isBroken || this.#waiting.writes.length === 0) return undefined;
    this.#schedule();
    const upTo = this.#answeredWrites + this.#waiting.writes.length;
    return new Promise((resolve) => this.#barriers.push({ upTo, resolve }));
  }

  /** Waits for pending calls, then closes the database. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    while (!this.#isBroken && !this.#isIdle) {
      this.#send();
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.#isBroken) return;
    await new Promise<void>((resolve) => {
      this.#closed = resolve;
      this.#post({ kind: 'close' });
    });
    await this.#worker.terminate();
  }

  /** In the next turn of the event loop, so that calls that arrive together are sent together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    clearTimeout(this.#deferTimer);
    clearTimeout(this.#idleTimer);
    this.#deferTimer = undefined;
    if (this.#calls.length === 0) return;
    const calls = this.#calls;
    this.#calls = [];
    const clock = this.#options.waits?.clock;
    const times = { now: clock?.now() ?? 0, monotonicNow: clock?.monotonic() ?? 0 };
    const transfers = this.#transfers;
    this.#transfers = [];
    this.#post({ kind: 'calls', calls, batchesSeen: this.#batchesSeenBefore, ...times }, transfers);
  }

  #receive(message: FromWriter): void {
    if (message.kind === 'batch') this.#answer(message);
    else if (message.kind === 'bug') this.#options.onBug(message.command, message.stack);
    else if (message.kind === 'condition') this.#options.onCondition?.(message.code, message.message);
    else if (message.kind === 'broken') this.#break(message.message);
    else if (message.kind === 'closed') this.#closed?.();
  }

  get #isIdle(): boolean {
    return this.#waiting.writes.length === 0 && this.#waiting.reads.length === 0;
  }

  #answer({ of, results, refusals, notices, handed, ms }: FromWriter & { kind: 'batch' }): void {
    this.#batchesSeen += 1;
    // First, so that no hint of these copies wakes another wait.
    // Safe: the writer's thread has written it.
    if (handed !== '') this.#options.waits?.onHanded(JSON.parse(handed) as HandedOver[]);
    const done = this.#waiting[of].splice(0, results.length);
    if (of === 'writes') this.#options.onBatch(done.length, ms);
    for (const { index, error, bug } of refusals) {
      const refused = done[index];
      if (refused === undefined) continue;
      if (bug !== undefined) this.#options.onBug(refused.name, bug);
      refused.reject(hubErrorFrom(error));
    }
    if (notices.length > 0) this.#options.onNotices(notices);
    // Resolving a rejected promise has no effect.
    for (const [index, waiting] of done.entries()) waiting.resolve(results[index]);
    if (of === 'writes') this.#passBarriers(done.length);
    if (this.#isIdle) this.#idleTimer = setTimeout(() => this.#post({ kind: 'idle' }), idleMs).unref();
  }

  #passBarriers(answered: number): void {
    this.#answeredWrites += answered;
    while ((this.#barriers[0]?.upTo ?? Infinity) <= this.#answeredWrites) this.#barriers.shift()?.resolve();
  }

  #break(message: string): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    for (const waiting of [...this.#waiting.writes, ...this.#waiting.reads]) waiting.reject(unavailable());
    this.#passBarriers(this.#waiting.writes.length);
    this.#options.onBroken(message);
  }

  #post(message: ToWriter, transfers: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfers);
  }
}

function unavailable(): HubError {
  return new HubError('STORE_UNAVAILABLE', 'The store stopped while this call ran; whether it was stored is unknown.', {
    hint: 'Call again with the same idempotency_key: it is stored only once.',
    details: { outcome: 'unknown' },
  });
}
