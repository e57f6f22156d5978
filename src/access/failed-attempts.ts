// Wrong keys by address: whoever guesses, or repeats a wrong key without end, is soon told to wait. A good key is never
// asked for: others may share its address.
import { limits } from '../contract/limits.js';
import type { Clock } from '../ports/clock.js';
import { networkOf } from './network.js';
import { TokenBuckets } from './token-buckets.js';

const minuteSeconds = 60;

export class FailedAttempts {
  readonly #buckets: TokenBuckets;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    const burst = limits.failedKeysPerMinute;
    this.#buckets = new TokenBuckets({ perSecond: burst / minuteSeconds, burst }, () => clock.monotonic());
  }

  /** The milliseconds after which a wrong key from this address is answered as such again; null if it is now. */
  isExhausted(address: string): number | null {
    const waitMs = this.#buckets.waitMs(networkOf(address));
    return waitMs === 0 ? null : waitMs;
  }

  note(address: string): void {
    this.#buckets.take(networkOf(address));
  }

  /** Forgets the addresses that have been quiet. */
  sweep(): void {
    this.#buckets.takeSpent();
  }
}
