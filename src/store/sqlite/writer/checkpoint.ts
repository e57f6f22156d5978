// Checkpoints the write-ahead log in a separate thread, so that commits do not wait for it. The writer's own checkpoint, at
// a longer log, then has few pages left to copy and restarts the log.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CheckpointOptions, CheckpointOutcome } from './checkpoint-thread.js';
import { pageBytes } from './driver.js';

/** Length of the log in pages at which a commit checkpoints the rest; under load the thread never copies everything. */
const logPagesMax = 16_000;
export const autoCheckpoint = `wal_autocheckpoint = ${logPagesMax}`;

/** Calls, rows and attachment pages after which a checkpoint is requested: about an upper bound for the new pages of the log. */
const workMin = 2_000;

export class Checkpointer {
  readonly #options: CheckpointOptions & { onFailedFsync: (message: string) => void };
  #thread: Worker | undefined;
  #isWorking = false;
  #work = 0;

  constructor(options: CheckpointOptions & { onFailedFsync: (message: string) => void }) {
    this.#options = options;
  }

  /**
   * Call it after a commit. If the thread has died, later work starts a new one. What is not noted is copied by a commit once the log is
   * long, and every call waits for it.
   */
  noteWritten(rows: number, attachmentBytes: number): void {
    this.#work += rows + attachmentBytes / pageBytes;
    if (this.#work < workMin || this.#isWorking) return;
    this.#work = 0;
    this.#isWorking = true;
    this.#thread ??= this.#start();
    this.#thread.postMessage('checkpoint');
  }

  /** Before the database is closed, because the last connection to close removes the log. */
  async close(): Promise<void> {
    if (this.#thread === undefined) return;
    const exited = once(this.#thread, 'exit');
    this.#thread.postMessage('close');
    await exited;
  }

  #start(): Worker {
    const workerData: CheckpointOptions = { databasePath: this.#options.databasePath };
    const thread = new Worker(new URL('./checkpoint-thread.js', import.meta.url), { workerData });
    const onIdle = () => (this.#isWorking = false);
    thread.on('message', ({ failedFsync }: CheckpointOutcome) => {
      if (failedFsync !== null) this.#options.onFailedFsync(failedFsync);
      onIdle();
    });
    thread.on('error', onIdle);
    thread.on('exit', () => (this.#thread = undefined));
    return thread;
  }
}
