// Does what checkpoint.ts asks. Passive: it never waits for the writer, and the writer never for it.
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './driver.js';

export interface CheckpointOptions {
  databasePath: string;
}

const port = parentPort;
if (port === null) throw new Error('checkpoints run in a worker thread');
const { databasePath } = workerData as CheckpointOptions;
const database = openDatabase(databasePath);
const lookAtLog = database.prepare('pragma wal_checkpoint(noop)');

/** The more at once the fewer pages are copied twice. */
const pagesWorthwhile = 3_000;

port.on('message', (asked: 'checkpoint' | 'close') => {
  if (asked === 'checkpoint') {
    checkpoint();
    port.postMessage('done');
  } else {
    database.close();
    port.close();
  }
});

function checkpoint(): void {
  try {
    // Only looks: SQLite 3.51 and later.
    const state = lookAtLog.get() as { log: number; checkpointed: number };
    if (state.log - state.checkpointed >= pagesWorthwhile) database.exec('pragma wal_checkpoint(passive)');
  } catch {
    // A full disk, most likely: nothing is lost, all of it is still in the log, and the writer will be told.
  }
}
