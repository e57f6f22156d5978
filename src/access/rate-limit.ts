// How often a key may call. Each hub has a bucket per key, and takes out of it what the other hubs report.
import { HubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import type { Grant } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import { TokenBuckets } from './token-buckets.js';

export interface RateLimitPorts {
  clock: Pick<Clock, 'monotonic'>;
  /** Tells the other hubs what a key has spent here. */
  publish: (keyId: string, calls: number) => void;
}

export class RateLimit {
  readonly #buckets: TokenBuckets;
  readonly #publish: RateLimitPorts['publish'];

  constructor({ clock, publish }: RateLimitPorts) {
    const { callsPerSecond: perSecond, callsBurst: burst } = limits;
    this.#buckets = new TokenBuckets({ perSecond, burst }, () => clock.monotonic());
    this.#publish = publish;
  }

  /** Counts a call, or refuses it. A refused call does not count. In open mode nobody is to be told apart. */
  spend(grant: Grant | null): void {
    if (grant === null) return;
    const waitMs = this.#buckets.take(grant.keyId);
    if (waitMs > 0) throw this.#tooFast(waitMs);
  }

  /** Called twice a second. */
  share(): void {
    for (const [keyId, calls] of this.#buckets.takeSpent()) this.#publish(keyId, calls);
  }

  spentElsewhere(keyId: string, calls: number): void {
    this.#buckets.deduct(keyId, calls);
  }

  #tooFast(retryAfterMs: number): HubError {
    const { perSecond, burst } = this.#buckets.rate;
    return new HubError(
      'RATE_LIMITED',
      `This key calls too often: ${perSecond} calls a second are allowed, ${burst} at once.`,
      {
        hint: `Call again in ${retryAfterMs} ms. To hear of messages, wait for them instead of asking again and again.`,
        details: { retryAfterMs, perSecond, burst },
      },
    );
  }
}
