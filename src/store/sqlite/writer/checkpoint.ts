// Copies the log into the database file beside the writer, in a thread of its own: what is stored must not wait for what
// was stored before. The writer's own, at a longer log, then finds little left to copy and lets the log begin anew.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CheckpointOptions } from './checkpoint-thread.js';
import { pageBytes } from './driver.js';

/** Pages of the log at which a commit copies what the thread has not, which under load is never quite all. */
const logPagesMax = 16_000;
export const checkpointByItself = `wal_autocheckpoint = ${logPagesMax}`;

/** Calls and pages of attachments after which the thread is told to look: at most so many pages of the log, mostly fewer. */
const workWorthwhile = 2_000;

export class Checkpointer {
  readonly #options: CheckpointOptions;
  #thread: Worker | undefined;
  #isWorking = false;
  #work = 0;

  constructor(options: CheckpointOptions) {
    this.#options = options;
  }

  /** After a commit. Should the thread be lost, the next is started by later work. */
  noteWritten(calls: number, bytesKept: number): void {
    this.#work += calls + bytesKept / pageBytes;
    if (this.#work < workWorthwhile || this.#isWorking) return;
    this.#work = 0;
    this.#isWorking = true;
    this.#thread ??= this.#start();
    this.#thread.postMessage('checkpoint');
  }

  /** Before the database is closed: the last to close it clears the log away. */
  async close(): Promise<void> {
    if (this.#thread === undefined) return;
    const gone = once(this.#thread, 'exit');
    this.#thread.postMessage('close');
    await gone;
  }

  #start(): Worker {
    const thread = new Worker(new URL('./checkpoint-thread.js', import.meta.url), { workerData: this.#options });
    const rest = () => (this.#isWorking = false);
    thread.on('message', rest);
    thread.on('error', rest);
    thread.on('exit', () => (this.#thread = undefined));
    return thread;
  }
}
