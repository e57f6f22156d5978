// A clock that runs with the wall's and can be moved ahead; what was due until then happens at once.
import type { Clock } from '../../dist/ports/clock.js';

export interface MovableClock extends Clock {
  advance(ms: number): void;
}

interface Timer {
  dueAt: number;
  callback: () => void;
  handle: NodeJS.Timeout;
}

export function movableClock(): MovableClock {
  let ahead = 0;
  const timers = new Set<Timer>();
  const monotonic = () => performance.now() + ahead;
  const arm = (timer: Timer) => {
    timer.handle = setTimeout(
      () => {
        timers.delete(timer);
        timer.callback();
      },
      Math.max(0, timer.dueAt - monotonic()),
    );
  };
  return {
    now: () => Date.now() + ahead,
    monotonic,
    after(delayMs, callback) {
      const timer = { dueAt: monotonic() + delayMs, callback } as Timer;
      timers.add(timer);
      arm(timer);
      return () => {
        clearTimeout(timer.handle);
        timers.delete(timer);
      };
    },
    advance(ms) {
      ahead += ms;
      for (const timer of timers) {
        clearTimeout(timer.handle);
        arm(timer);
      }
    },
  };
}
