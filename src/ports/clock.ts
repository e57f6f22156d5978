// Time, from one place, so that tests can move it.

export interface Clock {
  /** Wall time in epoch milliseconds: for timestamps people read. */
  now(): number;
  /** Milliseconds that never jump: for leases, waits and durations. */
  monotonic(): number;
  /** Calls back once after `delayMs`; the returned function calls it off. */
  after(delayMs: number, callback: () => void): () => void;
}
