// The only thread that uses the database, so that a slow fsync does not block the event loop of the servers.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { HubError, type ErrorObject } from '../../../contract/errors.js';
import { setLimits, type Limits } from '../../../contract/limits.js';
import type { CommitNews } from '../../../ports/store.js';
import { CommitUnknown, runBatch, type CommandAnswer, type CommandCall } from './batch.js';
import { isFull } from './result-code.js';
import { Checkpointer } from './checkpoint.js';
import { fillHistoryIndexes, indexedUpTo, indexLag } from '../history/fill-history-indexes.js';
import { databasePathIn, openStoreDatabase } from './open.js';
import { fillSearchIndex } from '../search/search-index.js';
import { freeLeasesOfEarlierRuns } from '../inbox/reap.js';
import { Tx } from './transaction.js';

export interface WriterOptions {
  folder: string;
  storeMaxBytes: number | null;
  monotonicNow: number;
  manualLeaseMs: number;
  limits: Limits;
}

export type ToWriter = { kind: 'calls'; calls: CommandCall[] } | { kind: 'idle' } | { kind: 'close' };

export interface Refusal {
  index: number;
  error: ErrorObject;
  bug?: string;
}

/** A batch answers the oldest pending calls, one result each; the result of a refused call is null. */
export type FromWriter =
  | { kind: 'ready' }
  | { kind: 'failed'; error: ErrorObject }
  | { kind: 'batch'; results: unknown[]; refusals: Refusal[]; notices: CommitNews[]; ms: number }
  | { kind: 'broken'; message: string }
  | { kind: 'bug'; command: string; stack: string }
  | { kind: 'closed' };

/** Indexes are filled when the writer is idle, or when the unindexed tail that readers scan grows too long. */
const lagMin = 256;
const lagMax = 4_096;
const fillRows = 2_048;
/** The word index costs more than the others: under load it waits longer. */
const searchLagMax = 262_144;

const batchMax = 128;

const port = parentPort;
if (port === null) throw new Error('the writer runs in a worker thread');
const options = workerData as WriterOptions;
const post = (message: FromWriter, transfers: ArrayBuffer[] = []) => port.postMessage(message, transfers);

try {
  setLimits(options.limits);
  const database = openStoreDatabase(options);
  const tx = new Tx(database);
  freeLeasesOfEarlierRuns(tx, options);
  serve(tx, () => database.close());
  post({ kind: 'ready' });
} catch (error) {
  if (!(error instanceof HubError)) throw error;
  post({ kind: 'failed', error: error.toObject() });
}

function serve(tx: Tx, closeDatabase: () => void): void {
  let lag = indexLag(tx);
  let searchLag = indexLag(tx, 'search');
  let isIdle = false;
  const checkpointer = new Checkpointer({ databasePath: databasePathIn(options.folder) });
  const fillWords = () => {
    fill(tx, fillSearchIndex);
    searchLag = indexLag(tx, 'search');
  };
  /** One short step at a time, so that new calls go first. */
  const fillWordsWhileIdle = () => {
    if (!isIdle || searchLag < lagMin) return;
    const before = searchLag;
    fillWords();
    if (searchLag < before) setImmediate(fillWordsWhileIdle);
  };
  port?.on('message', (first: ToWriter) => {
    const { calls, next } = gather(first);
    isIdle = next === 'idle';
    for (let from = 0; from < calls.length; from += batchMax) {
      if (!answer(tx, calls.slice(from, from + batchMax))) return port.close();
    }
    checkpointer.noteWritten(calls.length, tx.attachmentBytes);
    tx.attachmentBytes = 0;
    if (next === 'close') {
      void checkpointer.close().then(() => {
        closeDatabase();
        post({ kind: 'closed' });
        port.close();
      });
      return;
    }
    // One call may write many messages, such as the notices of a new thread.
    lag = tx.memory.lastRow === undefined ? lag + calls.length : tx.memory.lastRow - indexedUpTo(tx);
    searchLag += calls.length;
    if (lag >= lagMax || (isIdle && lag >= lagMin)) {
      fill(tx, (open) => fillHistoryIndexes(open, fillRows));
      lag = indexLag(tx);
    }
    if (isIdle) fillWordsWhileIdle();
    else if (searchLag >= searchLagMax) fillWords();
  });
}

/** All calls that have arrived, up to a full batch, and the kind of the message after them if it is not a call. */
function gather(first: ToWriter): { calls: CommandCall[]; next: 'idle' | 'close' | undefined } {
  const calls: CommandCall[] = [];
  let message: ToWriter | undefined = first;
  while (message?.kind === 'calls') {
    calls.push(...message.calls);
    message = calls.length < batchMax ? nextMessage() : undefined;
  }
  return { calls, next: message?.kind };
}

function nextMessage(): ToWriter | undefined {
  // Safe: only group-commit.ts posts to this port.
  return port === null ? undefined : (receiveMessageOnPort(port)?.message as ToWriter | undefined);
}

/** False when the outcome of the commit is unknown: then nothing more may be written. */
function answer(tx: Tx, calls: CommandCall[]): boolean {
  const started = performance.now();
  try {
    const answers = runBatch(tx, calls);
    const refusals = answers.flatMap((given, index) => ('ok' in given ? [] : [refusalAt(index, given)]));
    const results = answers.map((given) => ('ok' in given ? given.ok : null));
    const notices = tx.notices.splice(0);
    post({ kind: 'batch', results, refusals, notices, ms: performance.now() - started }, tx.transferred.splice(0));
    return true;
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error;
    post({ kind: 'broken', message: String(error.cause) });
    return false;
  }
}

function refusalAt(index: number, { refused, bug }: Extract<CommandAnswer, { refused: ErrorObject }>): Refusal {
  return { index, error: refused, ...(bug === undefined ? {} : { bug }) };
}

/** Without fsync: lost entries are filled again from the messages. With a full disk it is retried later. */
function fill(tx: Tx, work: (open: Tx) => void): void {
  tx.set('synchronous = normal');
  try {
    tx.control('begin immediate');
    work(tx);
    tx.control('commit');
  } catch (error) {
    if (tx.isOpen) tx.control('rollback');
    if (!isFull(error)) post({ kind: 'bug', command: 'fill indexes', stack: String(error) });
  } finally {
    tx.set('synchronous = full');
  }
}
