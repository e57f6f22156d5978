// Runs the checkpoints that checkpoint.ts requests. Passive: neither it nor the writer waits for the other.
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './driver.js';
import { isFsyncFailed } from './result-code.js';

export interface CheckpointOptions {
  databasePath: string;
}

const port = parentPort;
if (port === null) throw new Error('checkpoints run in a worker thread');
const { databasePath } = workerData as CheckpointOptions;
const database = openDatabase(databasePath);
const readLogState = database.prepare('pragma wal_checkpoint(noop)');

/** Larger checkpoints copy fewer pages twice. */
const pagesMin = 3_000;

port.on('message', (request: 'checkpoint' | 'close') => {
  if (request === 'checkpoint') {
    port.postMessage(checkpoint());
  } else {
    database.close();
    port.close();
  }
});

/** What ended it, if the hub must not go on. */
export type CheckpointOutcome = { failedFsync: string | null };

function checkpoint(): CheckpointOutcome {
  try {
    // Reads the state only; SQLite 3.51 and later.
    const state = readLogState.get() as { log: number; checkpointed: number };
    if (state.log - state.checkpointed >= pagesMin) database.exec('pragma wal_checkpoint(passive)');
  } catch (error) {
    if (isFsyncFailed(error)) return { failedFsync: String(error) };
    // Probably a full disk. Nothing is lost: all data is still in the log, and the writer will get the error.
  }
  return { failedFsync: null };
}
