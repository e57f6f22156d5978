// Token buckets by name: each holds `burst` tokens and refills at a steady rate. Only buckets that are not full are kept.

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A bucket is the time at which it is full again: each token taken moves it by one interval. */
interface Bucket {
  fullAt: number;
  /** Taken here since `takeSpent`. */
  spent: number;
}

/** Beyond that the oldest is forgotten: whoever has so many names does not need one of them to be full. */
const bucketsMax = 20_000;

/** Times are sums of fractions. Whoever waits as long as it was told must not be refused for a rounding error. */
const toleranceMs = 0.01;

export class TokenBuckets {
  readonly rate: Rate;
  readonly #monotonic: () => number;
  readonly #intervalMs: number;
  readonly #burstMs: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: Rate, monotonic: () => number) {
    this.rate = rate;
    this.#monotonic = monotonic;
    this.#intervalMs = 1_000 / rate.perSecond;
    this.#burstMs = rate.burst * this.#intervalMs;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one token: 0 if there was one, else the milliseconds until there is. */
  take(name: string): number {
    const now = this.#monotonic();
    const bucket = this.#buckets.get(name) ?? this.#add(name, now);
    const waitMs = this.#waitMs(bucket, now);
    if (waitMs > 0) return waitMs;
    bucket.fullAt = Math.max(bucket.fullAt, now) + this.#intervalMs;
    bucket.spent += 1;
    return 0;
  }

  /** Undoes a `take`: what it was for was not done. */
  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return;
    bucket.fullAt -= this.#intervalMs;
    bucket.spent -= 1;
  }

  /** As `take` would answer, without taking. */
  waitMs(name: string): number {
    const bucket = this.#buckets.get(name);
    return bucket === undefined ? 0 : this.#waitMs(bucket, this.#monotonic());
  }

  /** Removes tokens that were spent elsewhere. The debt is at most one burst, so that it ends in known time. */
  deduct(name: string, count: number): void {
    if (!(count > 0)) return;
    const now = this.#monotonic();
    const bucket = this.#buckets.get(name) ?? this.#add(name, now);
    const fullAt = Math.max(bucket.fullAt, now) + count * this.#intervalMs;
    bucket.fullAt = Math.min(fullAt, now + 2 * this.#burstMs);
  }

  /** What was taken here since the last call, by name. Full buckets are forgotten. */
  takeSpent(): [name: string, count: number][] {
    const now = this.#monotonic();
    const spent: [string, number][] = [];
    for (const [name, bucket] of this.#buckets) {
      if (bucket.spent > 0) spent.push([name, bucket.spent]);
      bucket.spent = 0;
      if (bucket.fullAt <= now) this.#buckets.delete(name);
    }
    return spent;
  }

  #waitMs({ fullAt }: Bucket, now: number): number {
    return Math.max(0, Math.ceil(fullAt + this.#intervalMs - this.#burstMs - now - toleranceMs));
  }

  #add(name: string, now: number): Bucket {
    if (this.#buckets.size >= bucketsMax) this.#forgetOldest();
    const bucket = { fullAt: now, spent: 0 };
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #forgetOldest(): void {
    for (const name of this.#buckets.keys()) {
      this.#buckets.delete(name);
      return;
    }
  }
}
