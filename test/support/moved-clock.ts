// The real clock, moved forward by the test: for promises about minutes and days.
import type { Clock } from '../../dist/ports/clock.js';
import { systemClock } from '../../dist/runtime/system-clock.js';

export interface MovedClock extends Clock {
  move(ms: number): void;
}

export function movedClock(): MovedClock {
  let moved = 0;
  return {
    now: () => systemClock.now() + moved,
    monotonic: () => systemClock.monotonic() + moved,
    after: (delayMs, callback) => systemClock.after(delayMs, callback),
    move(ms) {
      moved += ms;
    },
  };
}
