// The only thread that writes to the database, so that a slow fsync does not block the event loop of the servers.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { ErrorCode, ErrorObject } from '../../../contract/errors.js';
import { setLimits, type Limits } from '../../../contract/limits.js';
import type { CommitNews, HandedOver } from '../../../ports/store.js';
import { kindOf, type CallKind } from '../commands.js';
import { runBatch, type CommandAnswer, type CommandCall } from './batch.js';
import { Checkpointer } from './checkpoint.js';
import { CommitUnknown, isOutOfRoom } from './commit.js';
import { StoreCondition } from './condition.js';
import { openHeldNote } from './held-note.js';
import { storeError } from './store-errors.js';
import { fillHistoryIndexes, indexedUpTo, indexLag } from '../history/fill-history-indexes.js';
import { databasePathIn, malformedFile, openStoreDatabase } from './open.js';
import { isDamaged } from './result-code.js';
import { fillMax, fillSearchIndex, mergePages, mergeSearchIndex } from '../search/search-index.js';
import { doubtAllCopies } from '../inbox/doubtful-copies.js';
import { freeLeasesOfEarlierRuns } from '../inbox/reap.js';
import { beginRun, bootMark, endRun } from './run-marker.js';
import { Tx } from './transaction.js';

export interface WriterOptions {
  folder: string;
  storeMaxBytes: number | null;
  monotonicNow: number;
  manualLeaseMs: number;
  /** For tests: stands for this start of the machine. */
  boot?: number | undefined;
  /** The times of the calls are those of a clock that runs. Else copies expire by the time that each call gives. */
  hasClock?: boolean | undefined;
  limits: Limits;
}

export interface Calls {
  kind: 'calls';
  calls: CommandCall[];
  /** How many answers of batches the hub had received when it made the first of these calls. */
  batchesSeen: number;
  /** The hub's time. */
  now: number;
  monotonicNow: number;
}

export type ToWriter = Calls | { kind: 'idle' } | { kind: 'close' };

export interface Refusal {
  index: number;
  error: ErrorObject;
  bug?: string;
}

/**
 * A batch answers the oldest pending writes, or the oldest pending reads, one result each; the result of a refused call is
 * null. The writes come first, so that they do not wait for the reads after their commit.
 */
export type FromWriter =
  | { kind: 'ready' }
  | { kind: 'failed'; error: ErrorObject }
  | {
      kind: 'batch';
      of: CallKind;
      results: unknown[];
      refusals: Refusal[];
      notices: CommitNews[];
      /** A list of HandedOver as JSON, empty for none: copying so many field names between threads takes several times as long. */
      handed: string;
      ms: number;
    }
  | { kind: 'condition'; code: ErrorCode | null; message: string }
  | { kind: 'broken'; message: string }
  | { kind: 'bug'; command: string; stack: string }
  | { kind: 'closed' };

/** Indexes are filled when the writer is idle, or when the unindexed tail that readers scan grows too long. */
const lagMin = 256;
const lagMax = 4_096;
const fillRows = 2_048;
/** The word index costs more than the others: under load it waits longer. */
const searchLagMax = 262_144;
/** Steps of filling; after so many, merging comes first, because a search opens every segment. */
const unmergedMax = 200;
/** While it is idle a call may come at any time, and waits for the step that has begun. */
const idleRows = 64;
const idlePages = 16;

const batchMax = 128;
/** How many were answered. */
let batches = 0;

const port = parentPort;
if (port === null) throw new Error('the writer runs in a worker thread');
const options = workerData as WriterOptions;
const post = (message: FromWriter, transfers: ArrayBuffer[] = []) => port.postMessage(message, transfers);

try {
  setLimits(options.limits);
  const database = openStoreDatabase(options);
  const tx = new Tx(database);
  const boot = options.boot ?? bootMark();
  const isRunNoted = beginRun(tx, boot);
  freeLeasesOfEarlierRuns(tx, options);
  const { note, wasHeld } = openHeldNote(options.folder);
  if (wasHeld) {
    doubtAllCopies(tx);
    note.set(false);
  }
  tx.condition = new StoreCondition({
    ...options,
    databasePath: databasePathIn(options.folder),
    note,
    noteRun: isRunNoted ? undefined : (open) => beginRun(open, boot),
    onChange: (code, message) => post({ kind: 'condition', code, message }),
  });
  serve(tx, () => database.close());
  post({ kind: 'ready' });
} catch (error) {
  const cause = error instanceof CommitUnknown ? error.cause : error;
  const refusal = isDamaged(cause) ? malformedFile(options.folder, cause) : storeError(cause);
  if (refusal === undefined) throw error;
  post({ kind: 'failed', error: refusal.toObject() });
}

function serve(tx: Tx, closeDatabase: () => void): void {
  let lag = indexLag(tx);
  let searchLag = indexLag(tx, 'search');
  let isIdle = false;
  /** The words of the last messages, to the end. */
  let isFilling = false;
  const checkpointer = new Checkpointer({
    databasePath: databasePathIn(options.folder),
    // What was committed without an fsync of its own may be lost.
    onFailedFsync: (message) => post({ kind: 'broken', message }),
  });
  const noteWritten = (calls: number) => {
    checkpointer.noteWritten(calls + tx.rowsWritten, tx.attachmentBytes);
    tx.attachmentBytes = 0;
    tx.rowsWritten = 0;
  };
  let unmerged = 0;
  const fillWords = (rows: number = fillMax.rows) => {
    writeAside(tx, (open) => fillSearchIndex(open, rows));
    unmerged += 1;
    searchLag = indexLag(tx, 'search');
  };
  const mergeWords = (pages: number = mergePages): boolean => {
    let hasMore = false;
    writeAside(tx, (open) => {
      hasMore = mergeSearchIndex(open, pages);
    });
    if (hasMore) tx.rowsWritten += pages;
    if (!hasMore) unmerged = 0;
    return hasMore;
  };
  /** One short step at a time, so that new calls go first. */
  const workWhileIdle = () => {
    if (!isIdle) return;
    if (tx.clockJumps.isMoving) {
      if (tx.clockJumps.moveMore((change) => writeAside(tx, change))) setImmediate(workWhileIdle);
      return;
    }
    const before = searchLag;
    isFilling = searchLag >= lagMin || (isFilling && searchLag > 0);
    if (isFilling) fillWords(idleRows);
    const hasMerged = mergeWords(idlePages);
    noteWritten(0);
    if (hasMerged || searchLag < before) setImmediate(workWhileIdle);
  };
  port?.on('message', (first: ToWriter) => {
    const { calls, next } = gather(tx, first);
    if (options.hasClock && calls.length > 0) tx.clockJumps.follow(tx.time, (change) => writeAside(tx, change));
    isIdle = next === 'idle';
    for (let from = 0; from < calls.length; from += batchMax) {
      const batch = calls.slice(from, from + batchMax);
      if (!answer(tx, 'writes', batch) || !answer(tx, 'reads', batch)) return port.close();
    }
    noteWritten(calls.length);
    if (next === 'close') {
      void checkpointer.close().then(() => {
        endRun(tx);
        tx.condition?.close(tx);
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
      writeAside(tx, (open) => fillHistoryIndexes(open, fillRows));
      lag = indexLag(tx);
    }
    if (isIdle) return workWhileIdle();
    if (searchLag < searchLagMax) return;
    if (unmerged < unmergedMax) fillWords();
    mergeWords();
  });
}

/** All calls that have arrived, up to a full batch, and the kind of the message after them if it is not a call. */
function gather(tx: Tx, first: ToWriter): { calls: CommandCall[]; next: 'idle' | 'close' | undefined } {
  const calls: CommandCall[] = [];
  let message: ToWriter | undefined = first;
  while (message?.kind === 'calls') {
    tx.time = { now: message.now, monotonicNow: message.monotonicNow };
    // Only the first: what the hub saw after its calls is not known to them.
    if (calls.length === 0) forgetSeen(tx, message.batchesSeen);
    calls.push(...message.calls);
    message = calls.length < batchMax ? nextMessage() : undefined;
  }
  return { calls, next: message?.kind };
}

/** The hub has received what these batches handed over, and returns what it does not use. */
function forgetSeen(tx: Tx, batchesSeen: number): void {
  for (const [token, { batch }] of tx.handedUnseen) {
    if (batch > batchesSeen) return;
    tx.handedUnseen.delete(token);
  }
}

function nextMessage(): ToWriter | undefined {
  // Safe: only group-commit.ts posts to this port.
  return port === null ? undefined : (receiveMessageOnPort(port)?.message as ToWriter | undefined);
}

/** False when the outcome of the commit is unknown: then nothing more may be written. */
function answer(tx: Tx, of: CallKind, batch: CommandCall[]): boolean {
  const calls = batch.filter(([name]) => kindOf(name) === of);
  if (calls.length === 0) return true;
  const started = performance.now();
  try {
    const answers = runBatch(tx, calls);
    const refusals = answers.flatMap((given, index) => ('ok' in given ? [] : [refusalAt(index, given)]));
    const results = answers.map((given) => ('ok' in given ? given.ok : null));
    const notices = tx.notices.splice(0);
    const leased = handedIn(tx, ++batches);
    const handed = leased.length === 0 ? '' : JSON.stringify(leased);
    const ms = performance.now() - started;
    post({ kind: 'batch', of, results, refusals, notices, handed, ms }, tx.transferred.splice(0));
    return true;
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error;
    post({ kind: 'broken', message: String(error.cause) });
    return false;
  }
}

function handedIn(tx: Tx, batch: number): HandedOver[] {
  const { handed } = tx;
  tx.handed = [];
  for (const stack of tx.bugs.splice(0)) post({ kind: 'bug', command: 'hand over', stack });
  for (const { token, taken } of handed) {
    tx.handedUnseen.set(token, { keys: taken.copies.map(({ key }) => key), batch });
  }
  return handed;
}

function refusalAt(index: number, { refused, bug }: Extract<CommandAnswer, { refused: ErrorObject }>): Refusal {
  return { index, error: refused, ...(bug === undefined ? {} : { bug }) };
}

/**
 * Without fsync: entries of an index that are lost are filled again from the messages. False if it could not be written; with
 * a full disk it is tried again later.
 */
function writeAside(tx: Tx, work: (open: Tx) => void): boolean {
  if (tx.isHeld) return false;
  tx.set('synchronous = normal');
  try {
    tx.control('begin immediate');
    work(tx);
    tx.control('commit');
    return true;
  } catch (error) {
    if (tx.isOpen) tx.control('rollback');
    if (!isOutOfRoom(error)) post({ kind: 'bug', command: 'write aside', stack: String(error) });
    return false;
  } finally {
    tx.set('synchronous = full');
  }
}
