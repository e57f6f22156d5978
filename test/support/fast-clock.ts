// A clock that runs faster than the wall's, for promises that take minutes.
import type { Clock } from '../../dist/ports/clock.js';
import { hubsAtOnce } from './world.js';

export function fastClock(timesAlone: number): Clock {
  // What three hubs and a database server do takes its real time: less of it must fit into a minute.
  const times = hubsAtOnce === 1 ? timesAlone : timesAlone / 3;
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
