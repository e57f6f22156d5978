// The one thread that touches the database: a slow fsync then never holds up the doors.
import { parentPort, workerData } from 'node:worker_threads';
import { HubError, type ErrorObject } from '../../contract/errors.js';
import { setLimits, type Limits } from '../../contract/limits.js';
import { CommitUnknown, isFull, runBatch, type CommandAnswer, type CommandCall } from './batch.js';
import { fillHistoryIndexes, indexLag } from './fill-history-indexes.js';
import { openStoreDatabase } from './open.js';
import { freeLeasesOfEarlierRuns } from './reap.js';
import { Tx } from './transaction.js';

export interface WriterOptions {
  folder: string;
  storeMaxBytes: number | null;
  monotonicNow: number;
  manualLeaseMs: number;
  limits: Limits;
}

export type ToWriter = { kind: 'batch'; calls: CommandCall[] } | { kind: 'idle' } | { kind: 'close' };

export type FromWriter =
  | { kind: 'ready' }
  | { kind: 'failed'; error: ErrorObject }
  | { kind: 'batch'; answers: CommandAnswer[]; ms: number }
  | { kind: 'broken'; message: string }
  | { kind: 'bug'; command: string; stack: string }
  | { kind: 'closed' };

/** The index is filled when nothing else is to do, or when the tail that readers scan grows too long. */
const lagWorthFilling = 256;
const lagMax = 4_096;
const fillRows = 1_024;

const port = parentPort;
if (port === null) throw new Error('the writer runs in a worker thread');
const options = workerData as WriterOptions;
const post = (message: FromWriter) => port.postMessage(message);

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
  port?.on('message', (message: ToWriter) => {
    if (message.kind === 'close') {
      closeDatabase();
      post({ kind: 'closed' });
      port.close();
      return;
    }
    if (message.kind === 'batch') {
      lag += message.calls.length;
      answer(tx, message.calls);
    }
    if (lag >= lagMax || (message.kind === 'idle' && lag >= lagWorthFilling)) {
      fill(tx);
      lag = indexLag(tx);
    }
  });
}

function answer(tx: Tx, calls: CommandCall[]): void {
  const started = performance.now();
  try {
    const answers = runBatch(tx, calls);
    post({ kind: 'batch', answers, ms: performance.now() - started });
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error;
    post({ kind: 'broken', message: String(error.cause) });
  }
}

/** Without fsync: what is lost is filled again from the messages. A full disk is left for later. */
function fill(tx: Tx): void {
  tx.set('synchronous = normal');
  try {
    tx.control('begin immediate');
    fillHistoryIndexes(tx, fillRows);
    tx.control('commit');
  } catch (error) {
    if (tx.isOpen) tx.control('rollback');
    if (!isFull(error)) post({ kind: 'bug', command: 'fill history indexes', stack: String(error) });
  } finally {
    tx.set('synchronous = full');
  }
}
