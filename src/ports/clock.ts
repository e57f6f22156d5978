// All time comes from here, so that tests can control it.

export interface Clock {
  /** Wall-clock time in epoch milliseconds, for timestamps. */
  now(): number;
  /** Monotonic milliseconds, for leases, waits and durations. */
  monotonic(): number;
  /** Calls back once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}
