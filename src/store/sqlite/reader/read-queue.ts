// Sends long reads to the reader's thread, and starts it again if it dies: a read changes nothing, so it can be made again.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HubError, hubErrorFrom } from '../../../contract/errors.js';
import { limits } from '../../../contract/limits.js';
import { isSlow, type CommandName } from '../commands.js';
import { callerOf, FairQueue } from '../../fair-queue.js';
import type { FromReader, ReaderOptions, ToReader } from './reader-thread.js';

export interface ReadQueueOptions {
  folder: string;
  /** Resolves when every write that was called before is answered; undefined if it is so already. */
  written(): Promise<void> | undefined;
  /** `queued` reads are left. */
  onRead(ms: number, queued: number): void;
  onBug(command: string, stack: string): void;
}

interface Waiting {
  name: CommandName;
  argument: unknown;
  resolve(value: unknown): void;
  reject(error: HubError): void;
}

/**
 * The thread has one read to do and the next one, so that answers arrive no faster than this thread takes them: many large
 * ones in one turn of its loop would hold up everyone else.
 */
const sentMax = 2;
const quickInARow = 16;

export class ReadQueue {
  readonly #options: ReadQueueOptions;
  #thread: Worker | undefined;
  /** Not sent yet. */
  readonly #slowReads = new FairQueue<Waiting>();
  readonly #quickReads = new FairQueue<Waiting>();
  /** Sent since the last slow one. */
  #quickOnes = 0;
  /** Sent, without an answer. */
  readonly #sent = new Map<number, Waiting>();
  #lastId = 0;
  /** Called, without an answer; the slow ones by caller too. */
  #queued = 0;
  #slow = 0;
  readonly #slowOf = new Map<string, number>();
  #isClosing = false;

  constructor(options: ReadQueueOptions) {
    this.#options = options;
    this.#thread = this.#start();
  }

  /** It sees every write that was called before it, whether or not the caller has waited for its answer. */
  async submit(name: CommandName, argument: unknown): Promise<unknown> {
    if (this.#isClosing) throw unavailable();
    const caller = callerOf(argument);
    this.#requireRoom(name, caller);
    this.#count(name, caller, 1);
    try {
      await this.#options.written();
      return await this.#wait(name, caller, argument);
    } finally {
      this.#count(name, caller, -1);
    }
  }

  #count(name: CommandName, caller: string, change: 1 | -1): void {
    this.#queued += change;
    if (!isSlow(name)) return;
    this.#slow += change;
    const left = (this.#slowOf.get(caller) ?? 0) + change;
    if (left > 0) this.#slowOf.set(caller, left);
    else this.#slowOf.delete(caller);
  }

  #wait(name: CommandName, caller: string, argument: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const queue = isSlow(name) ? this.#slowReads : this.#quickReads;
      queue.push(caller, { name, argument, resolve, reject });
      this.#sendNext();
    });
  }

  #sendNext(): void {
    while (this.#sent.size < sentMax) {
      const next = this.#next();
      if (next === undefined) return;
      this.#quickOnes = isSlow(next.name) ? 0 : this.#quickOnes + 1;
      this.#thread ??= this.#start();
      this.#lastId += 1;
      this.#sent.set(this.#lastId, next);
      this.#post({ kind: 'read', call: [this.#lastId, next.name, next.argument] });
    }
  }

  /** Quick ones first, so that they wait for one search and not for all; now and then a slow one. */
  #next(): Waiting | undefined {
    const [first, second] =
      this.#quickOnes < quickInARow ? [this.#quickReads, this.#slowReads] : [this.#slowReads, this.#quickReads];
    return first.shift() ?? second.shift();
  }

  /** After the reads that are under way; before the writer, because the last connection to close removes the log. */
  async close(): Promise<void> {
    this.#isClosing = true;
    while (this.#queued > 0) await new Promise((resolve) => setImmediate(resolve));
    if (this.#thread === undefined) return;
    const exited = once(this.#thread, 'exit');
    this.#post({ kind: 'close' });
    await exited;
  }

  #requireRoom(name: CommandName, caller: string): void {
    const limit = this.#limitReached(name, caller);
    if (limit === undefined) return;
    throw new HubError('BUSY', `${limit} reads are waiting for their turn already.`, {
      hint: 'Call again in a second.',
      details: { limit, retryAfterMs: 1_000 },
    });
  }

  #limitReached(name: CommandName, caller: string): number | undefined {
    const { readsQueued, searchesQueued, searchesPerCaller } = limits;
    if (this.#queued >= readsQueued) return readsQueued;
    if (!isSlow(name)) return undefined;
    if (this.#slow >= searchesQueued) return searchesQueued;
    return (this.#slowOf.get(caller) ?? 0) >= searchesPerCaller ? searchesPerCaller : undefined;
  }

  #start(): Worker {
    const workerData: ReaderOptions = { folder: this.#options.folder, limits };
    const thread = new Worker(new URL('./reader-thread.js', import.meta.url), { workerData });
    thread.on('message', (message: FromReader) => this.#answer(message));
    thread.on('error', (error) => this.#options.onBug('reader', error.stack ?? error.message));
    thread.on('exit', () => this.#end(thread));
    return thread;
  }

  #answer(answer: FromReader): void {
    const waiting = this.#sent.get(answer.id);
    if (waiting === undefined) return;
    this.#sent.delete(answer.id);
    this.#sendNext();
    this.#options.onRead(answer.ms, this.#queued - 1);
    if ('ok' in answer) return waiting.resolve(answer.ok);
    if (answer.bug !== undefined) this.#options.onBug(waiting.name, answer.bug);
    return waiting.reject(hubErrorFrom(answer.refused));
  }

  /** The next read starts a new thread. Which of those it had been sent ended this one is not known, so none is sent again. */
  #end(thread: Worker): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    for (const waiting of this.#sent.values()) waiting.reject(unavailable());
    this.#sent.clear();
    this.#sendNext();
  }

  #post(message: ToReader): void {
    this.#thread?.postMessage(message);
  }
}

function unavailable(): HubError {
  return new HubError('STORE_UNAVAILABLE', 'The read was interrupted. It changed nothing.', {
    hint: 'Call again.',
  });
}
