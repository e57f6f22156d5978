// What arrives from the database is decoded in the main thread, a large page in one go if it is there. So all connections together
// get large results a part per turn of the event loop: others are served in between.
import type { Duplex } from 'node:stream';
import { mustWait } from '../../../ports/long-turns.js';

/** A row may be larger. */
const bytesPerTurn = 128 * 1024;
/** A smaller chunk is not in the middle of a large result, or is the end of one. */
const largeChunk = 32 * 1024;

let bytes = 0;
let turnSince: number | undefined;
const paused = new Set<Duplex>();

export function paceReading(stream: Duplex): void {
  stream.on('data', ({ length }: Buffer) => {
    if (length < largeChunk) return;
    bytes += length;
    if (turnSince === undefined) {
      turnSince = performance.now();
      setImmediate(nextTurn);
    }
    if (bytes < bytesPerTurn) return;
    stream.pause();
    paused.add(stream);
  });
  stream.once('close', () => paused.delete(stream));
}

function nextTurn(): void {
  if (turnSince !== undefined && mustWait(turnSince)) {
    setImmediate(nextTurn);
    return;
  }
  turnSince = undefined;
  bytes = 0;
  const waiting = [...paused];
  paused.clear();
  for (const stream of waiting) stream.resume();
}
