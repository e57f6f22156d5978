// Every call that may park takes a place among the parked waits first, or is refused before it has done anything.
import type { Hold, Holder } from '../../ports/caps.js';
import type { Metrics } from '../../ports/metrics.js';

/** The returned function frees the place. */
export type ReserveWait = (caller: Holder) => () => void;

export function reserveWaits({ hold, metrics }: { hold: Hold; metrics: Metrics }): ReserveWait {
  return (caller) => {
    const place = hold(caller);
    place.add(1);
    metrics.waitParked(1);
    return () => {
      place.release();
      metrics.waitParked(-1);
    };
  };
}
