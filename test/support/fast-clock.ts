// A clock that runs faster than the wall's, for promises that take minutes.
import type { Clock } from '../../dist/ports/clock.js';

export function fastClock(times: number): Clock {
  const start = Date.now();
  const begin = performance.now();
  const passed = () => (performance.now() - begin) * times;
  return {
    now: () => Math.floor(start + passed()),
    monotonic: () => start + passed(),
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs / times);
      return () => clearTimeout(timer);
    },
  };
}
