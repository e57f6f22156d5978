// The reader's thread. Its priority is lowered before it loads anything: it starts beside the first calls of a hub, and loading
// takes longer than many of them.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { ErrorObject } from '../../../contract/errors.js';
import type { Limits } from '../../../contract/limits.js';
import type { CommandName } from '../commands.js';

export interface ReaderOptions {
  folder: string;
  limits: Limits;
}

export type ReadCall = readonly [id: number, name: CommandName, argument: unknown];

export type ToReader = { kind: 'read'; call: ReadCall } | { kind: 'close' };

export type FromReader = { id: number; ms: number } & ({ ok: unknown } | { refused: ErrorObject; bug?: string });

/**
 * On Linux this lowers the thread alone: where cores are few, sends go first, and reads get what is left but never nothing.
 * Elsewhere it would lower the whole process.
 */
const niceness = 5;

if (parentPort === null) throw new Error('the reader runs in a worker thread');
if (process.platform === 'linux') setPriority(niceness);
const { serveReads } = await import('./serve-reads.js');
serveReads(parentPort, workerData as ReaderOptions);
