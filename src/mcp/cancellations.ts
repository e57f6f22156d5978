// Finds the call that a 2025-era `notifications/cancelled` refers to. It may arrive after the answer, and even before
// its own request, so calls and cancellations are kept for a while.
import type { Clock } from '../ports/clock.js';

/** How long calls and cancellations are kept. */
const keepMs = 10 * 60_000;
const entriesMax = 50_000;

interface Entry {
  at: number;
  /** Undefined: the cancellation came first; a tombstone for a call that has not arrived yet. */
  cancel: (() => void) | undefined;
}

export class Cancellations {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;
  readonly #onUnknown: (label: string, requestId: string | number) => void;

  /** `onUnknown` is called for cancellations of calls unknown to this hub: another hub may have them. */
  constructor(clock: Clock, onUnknown: (label: string, requestId: string | number) => void = () => {}) {
    this.#clock = clock;
    this.#onUnknown = onUnknown;
  }

  /** Returns true when this call was cancelled before it arrived. */
  expect(label: string, requestId: string | number, cancel: () => void): boolean {
    this.#prune();
    const key = keyOf(label, requestId);
    const isTombstone = this.#entries.get(key)?.cancel === undefined && this.#entries.has(key);
    this.#entries.set(key, { at: this.#clock.monotonic(), cancel });
    return isTombstone;
  }

  /** The call was answered: from now on a cancellation only returns its messages to the inbox. */
  keep(label: string, requestId: string | number, outcome: { cancelled(): void }): void {
    const key = keyOf(label, requestId);
    this.#entries.delete(key);
    this.#entries.set(key, { at: this.#clock.monotonic(), cancel: () => outcome.cancelled() });
  }

  /** An answer without messages leaves nothing to return. */
  forget(label: string, requestId: string | number): void {
    this.#entries.delete(keyOf(label, requestId));
  }

  cancel(label: string, requestId: string | number): void {
    if (!this.cancelHere(label, requestId)) this.#onUnknown(label, requestId);
  }

  /** False when the call is unknown, or has not arrived yet. */
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

  /** Entries are in insertion order, oldest first. */
  #prune(): void {
    const oldest = this.#clock.monotonic() - keepMs;
    for (const [key, { at }] of this.#entries) {
      if (at >= oldest && this.#entries.size <= entriesMax) return;
      this.#entries.delete(key);
    }
  }
}

function keyOf(label: string, requestId: string | number): string {
  return `${label}\n${typeof requestId}${requestId}`;
}
