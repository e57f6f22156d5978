// All time comes from here, so that tests can control it.

export interface Clock {
  /** Wall-clock time in epoch milliseconds, for timestamps. */
  now(): number;
  /** Monotonic milliseconds, for leases, waits and durations. */
  monotonic(): number;
  /** Calls back once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Runs the task, `everyMs` after its last run ended; the returned function stops that. The task must not throw. */
export function repeatEvery(clock: Clock, everyMs: number, task: () => Promise<void>): () => void {
  let isStopped = false;
  let cancel = clock.after(everyMs, run);
  function run(): void {
    void task().finally(() => {
      if (!isStopped) cancel = clock.after(everyMs, run);
    });
  }
  return () => {
    isStopped = true;
    cancel();
  };
}
