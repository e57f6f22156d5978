// A clock that runs with the wall's and can be moved ahead; what was due until then happens at once. Its wall clock can also be set.
import type { Clock } from '../../dist/ports/clock.js';

export interface MovableClock extends Clock {
  advance(ms: number): void;
  /** Sets the wall clock alone: no time passes. */
  jump(ms: number): void;
}

interface Timer {
  dueAt: number;
  callback: () => void;
  handle: NodeJS.Timeout;
}

export function movableClock(): MovableClock {
  let ahead = 0;
  let jumped = 0;
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
    now: () => Date.now() + ahead + jumped,
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
    jump(ms) {
      jumped += ms;
    },
  };
}
