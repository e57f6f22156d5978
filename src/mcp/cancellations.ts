// Finds the call a 2025-era `notifications/cancelled` means. It may come after the answer, and even before its own
// request, so both sides are remembered for a while.
import type { Clock } from '../ports/clock.js';

/** How long a cancellation still counts. */
const rememberMs = 10 * 60_000;
const entriesMax = 50_000;

interface Entry {
  at: number;
  /** Undefined: the cancellation came first, a tombstone for a call that has yet to arrive. */
  cancel: (() => void) | undefined;
}

export class Cancellations {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;
  readonly #onUnknown: (label: string, requestId: string | number) => void;

  /** `onUnknown` hears of cancellations of calls that are not known here: another hub may have them. */
  constructor(clock: Clock, onUnknown: (label: string, requestId: string | number) => void = () => {}) {
    this.#clock = clock;
    this.#onUnknown = onUnknown;
  }

  /** Returns true when this call was cancelled before it came. */
  expect(label: string, requestId: string | number, cancel: () => void): boolean {
    this.#prune();
    const key = keyOf(label, requestId);
    const isTombstone = this.#entries.get(key)?.cancel === undefined && this.#entries.has(key);
    this.#entries.set(key, { at: this.#clock.monotonic(), cancel });
    return isTombstone;
  }

  /** The call was answered: from now on a cancellation only takes its messages back. */
  keep(label: string, requestId: string | number, outcome: { cancelled(): void }): void {
    const key = keyOf(label, requestId);
    this.#entries.delete(key);
    this.#entries.set(key, { at: this.#clock.monotonic(), cancel: () => outcome.cancelled() });
  }

  /** A call without messages in its answer has nothing left to take back. */
  forget(label: string, requestId: string | number): void {
    this.#entries.delete(keyOf(label, requestId));
  }

  cancel(label: string, requestId: string | number): void {
    if (!this.cancelHere(label, requestId)) this.#onUnknown(label, requestId);
  }

  /** False when the call is not known, or not yet. */
  cancelHere(label: string, requestId: string | number): boolean {
    this.#prune();
    const key = keyOf(label, requestId);
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry?.cancel === undefined) {
      this.#entries.set(key, { at: this.#clock.monotonic(), cancel: undefined });
      return false;
    }
    entry.cancel();
    return true;
  }

  /** Entries are in order of time: only the oldest need a look. */
  #prune(): void {
    const oldest = this.#clock.monotonic() - rememberMs;
    for (const [key, { at }] of this.#entries) {
      if (at >= oldest && this.#entries.size <= entriesMax) return;
      this.#entries.delete(key);
    }
  }
}

function keyOf(label: string, requestId: string | number): string {
  return `${label}\n${typeof requestId}${requestId}`;
}
