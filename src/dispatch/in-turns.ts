// Runs long work in turns of the event loop, so that other calls are answered meanwhile.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Far below the 50 ms that one call may hold the main thread: a step may begin just before it ends. */
const turnMs = 10;

/** Each step of the work should take a few milliseconds at most. */
export async function inTurns<Result>(work: Iterator<void, Result>): Promise<Result> {
  let started = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - started < turnMs) continue;
    await nextTurn();
    started = performance.now();
  }
}
