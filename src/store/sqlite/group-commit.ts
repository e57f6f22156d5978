// The queue in front of the writer thread: what arrives while one batch commits is the next batch. No timer, except
// that confirmations may wait a little to ride along with something that is committed anyway.
import { Worker } from 'node:worker_threads';
import { HubError, hubErrorFrom } from '../../contract/errors.js';
import { limits } from '../../contract/limits.js';
import type { CommandName } from './commands.js';
import type { FromWriter, ToWriter, WriterOptions } from './writer-thread.js';

export interface GroupCommitOptions extends Omit<WriterOptions, 'limits'> {
  onBatch(commands: number, ms: number): void;
  onBug(command: string, stack: string): void;
  /** The commit's outcome is unknown or the thread died: the process must not go on. */
  onBroken(message: string): void;
}

interface Waiting {
  name: CommandName;
  argument: unknown;
  resolve(value: unknown): void;
  reject(error: HubError): void;
}

const batchMax = 128;
/** How long a confirmation may wait for company. */
const companyMs = 50;

export class GroupCommit {
  readonly #worker: Worker;
  readonly #options: GroupCommitOptions;
  readonly #queue: Waiting[] = [];
  #inFlight: Waiting[] = [];
  #isScheduled = false;
  #companyTimer: NodeJS.Timeout | undefined;
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

  /** `canWait` lets a command ride along with the next batch, at the latest after a moment. */
  submit(name: CommandName, argument: unknown, canWait = false): Promise<unknown> {
    if (this.#isBroken || this.#closed !== undefined) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      this.#queue.push({ name, argument, resolve, reject });
      if (canWait) this.#companyTimer ??= setTimeout(() => this.#schedule(), companyMs);
      else this.#schedule();
    });
  }

  /** Waits for what is queued, then closes the database. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    while (!this.#isBroken && (this.#queue.length > 0 || this.#inFlight.length > 0)) {
      this.#flush();
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.#isBroken) return;
    await new Promise<void>((resolve) => {
      this.#closed = resolve;
      this.#post({ kind: 'close' });
    });
    await this.#worker.terminate();
  }

  /** In the next turn of the loop, so that calls that arrived together commit together. */
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight.length > 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#inFlight.length > 0 || this.#queue.length === 0) return;
    clearTimeout(this.#companyTimer);
    clearTimeout(this.#idleTimer);
    this.#companyTimer = undefined;
    this.#inFlight = this.#queue.splice(0, batchMax);
    this.#post({ kind: 'batch', calls: this.#inFlight.map(({ name, argument }) => ({ name, argument })) });
  }

  #receive(message: FromWriter): void {
    if (message.kind === 'batch') {
      const done = this.#inFlight;
      this.#inFlight = [];
      this.#options.onBatch(done.length, message.ms);
      // The next batch leaves first, so that the writer works while these are answered.
      if (this.#queue.length > 0) this.#flush();
      for (const [index, waiting] of done.entries()) this.#settle(waiting, message.answers[index]);
      if (this.#inFlight.length === 0) this.#idleTimer = setTimeout(() => this.#post({ kind: 'idle' }), 20).unref();
    } else if (message.kind === 'bug') {
      this.#options.onBug(message.command, message.stack);
    } else if (message.kind === 'broken') {
      this.#break(message.message);
    } else if (message.kind === 'closed') {
      this.#closed?.();
    }
  }

  #settle(waiting: Waiting, answer: (FromWriter & { kind: 'batch' })['answers'][number] | undefined): void {
    if (answer === undefined) return waiting.reject(unavailable());
    if ('ok' in answer) return waiting.resolve(answer.ok);
    if (answer.bug !== undefined) this.#options.onBug(waiting.name, answer.bug);
    waiting.reject(hubErrorFrom(answer.refused));
  }

  #break(message: string): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    for (const waiting of [...this.#inFlight, ...this.#queue]) waiting.reject(unavailable());
    this.#options.onBroken(message);
  }

  #post(message: ToWriter): void {
    this.#worker.postMessage(message);
  }
}

function unavailable(): HubError {
  return new HubError('STORE_UNAVAILABLE', 'The store stopped while this call ran; whether it was stored is unknown.', {
    hint: 'Try again with the same idempotency_key: it settles whether the first attempt was stored.',
    details: { outcome: 'unknown' },
  });
}
