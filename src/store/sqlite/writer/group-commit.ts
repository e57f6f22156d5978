// Sends calls to the writer thread: calls of one turn of the event loop are sent together, and what arrives while the writer
// commits a batch is its next batch. No timer, except that confirmations may wait briefly to share another commit.
import { Worker } from 'node:worker_threads';
import { HubError, hubErrorFrom } from '../../../contract/errors.js';
import { limits } from '../../../contract/limits.js';
import type { CommandName } from '../commands.js';
import type { CommitNews } from '../../../ports/store.js';
import type { FromWriter, ToWriter, WriterOptions } from './writer-thread.js';

export interface GroupCommitOptions extends Omit<WriterOptions, 'limits'> {
  onBatch(commands: number, ms: number): void;
  /** Messages from `system` that the store wrote: their recipients must be woken. */
  onNotices(notices: readonly CommitNews[]): void;
  onBug(command: string, stack: string): void;
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
  /** Calls without an answer, oldest first; the writer answers in that order. */
  #waiting: Waiting[] = [];
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
    const { folder, storeMaxBytes, monotonicNow, manualLeaseMs } = options;
    const workerData: WriterOptions = { folder, storeMaxBytes, monotonicNow, manualLeaseMs, limits };
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
      this.#calls.push([name, argument]);
      this.#waiting.push({ name, resolve, reject });
      if (mayDefer) this.#deferTimer ??= setTimeout(() => this.#send(), deferMs);
      else this.#schedule();
    });
  }

  /** Waits for pending calls, then closes the database. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    while (!this.#isBroken && this.#waiting.length > 0) {
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
    if (this.#transfers.length === 0) return this.#post({ kind: 'calls', calls });
    const transfers = this.#transfers;
    this.#transfers = [];
    return this.#worker.postMessage({ kind: 'calls', calls }, transfers);
  }

  #receive(message: FromWriter): void {
    if (message.kind === 'batch') this.#answer(message);
    else if (message.kind === 'bug') this.#options.onBug(message.command, message.stack);
    else if (message.kind === 'broken') this.#break(message.message);
    else if (message.kind === 'closed') this.#closed?.();
  }

  #answer({ results, refusals, notices, ms }: FromWriter & { kind: 'batch' }): void {
    const done = this.#waiting.splice(0, results.length);
    this.#options.onBatch(done.length, ms);
    for (const { index, error, bug } of refusals) {
      const refused = done[index];
      if (refused === undefined) continue;
      if (bug !== undefined) this.#options.onBug(refused.name, bug);
      refused.reject(hubErrorFrom(error));
    }
    if (notices.length > 0) this.#options.onNotices(notices);
    // Resolving a rejected promise has no effect.
    for (const [index, waiting] of done.entries()) waiting.resolve(results[index]);
    if (this.#waiting.length === 0) this.#idleTimer = setTimeout(() => this.#post({ kind: 'idle' }), idleMs).unref();
  }

  #break(message: string): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    for (const waiting of this.#waiting) waiting.reject(unavailable());
    this.#options.onBroken(message);
  }

  #post(message: ToWriter): void {
    this.#worker.postMessage(message);
  }
}

function unavailable(): HubError {
  return new HubError('STORE_UNAVAILABLE', 'The store stopped while this call ran; whether it was stored is unknown.', {
    hint: 'Call again with the same idempotency_key: it is stored only once.',
    details: { outcome: 'unknown' },
  });
}
