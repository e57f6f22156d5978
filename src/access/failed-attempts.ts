// Wrong keys, pairings and sign-ins by address: whoever guesses, or repeats a wrong key without end, is soon told to wait. A good key is never
// asked for: others may share its address.
import { HubError, type ErrorCode } from '../contract/errors.js';
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

  /** For what is guessed without a key: an exhausted address does not even try. */
  async guard<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
    const retryAfterMs = this.isExhausted(address);
    if (retryAfterMs !== null) throw tooMany(retryAfterMs);
    try {
      return await work();
    } catch (error) {
      if (error instanceof HubError && guessed.has(error.code)) this.note(address);
      throw error;
    }
  }

  /** Forgets the addresses that have been quiet. */
  sweep(): void {
    this.#buckets.takeSpent();
  }
}

const guessed = new Set<ErrorCode>(['PAIRING_INVALID', 'SIGN_IN_FAILED']);

function tooMany(retryAfterMs: number): HubError {
  return new HubError('RATE_LIMITED', 'Too many requests from this address had a wrong key, code or signature.', {
    hint: `Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`,
    details: { retryAfterMs },
  });
}
