// Finds the call that a 2025-era `notifications/cancelled` refers to. It may arrive after the answer, and even before
// its own request, so calls and cancellations are kept for a while.
import { hash } from 'node:crypto';
import type { Clock } from '../ports/clock.js';
import type { CancelReason } from '../ports/reply-outcome.js';
import { takesBack } from './decide-cancellation.js';

/** How long calls and cancellations are kept. */
const keepMs = 10 * 60_000;
const entriesMax = 50_000;

interface Entry {
  at: number;
  /** Undefined: the cancellation came first; a tombstone for a call that has not arrived yet. */
  cancel: ((reason: CancelReason) => void) | undefined;
}

/** An answer that hands out messages. */
export interface KeptAnswer {
  /** In whole, with its last byte. */
  isWritten: boolean;
  outcome: { cancelled(): void };
}

type OnUnknown = (label: string, requestId: string | number, reason: CancelReason) => void;

export class Cancellations {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;
  readonly #onUnknown: OnUnknown;

  /** `onUnknown` is called for cancellations of calls unknown to this hub: another hub may have them. */
  constructor(clock: Clock, onUnknown: OnUnknown = () => {}) {
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

  /** The call is answered: from now on a cancellation can only return its messages to the inbox. */
  keep(label: string, requestId: string | number, answer: KeptAnswer): void {
    const key = keyOf(label, requestId);
    const cancel = (reason: CancelReason) => {
      if (takesBack(reason, answer)) answer.outcome.cancelled();
    };
    this.#entries.delete(key);
    this.#entries.set(key, { at: this.#clock.monotonic(), cancel });
  }

  /** An answer without messages leaves nothing to return. */
  forget(label: string, requestId: string | number): void {
    this.#entries.delete(keyOf(label, requestId));
  }

  cancel(label: string, requestId: string | number, reason: CancelReason): void {
    if (!this.cancelHere(label, requestId, reason)) this.#onUnknown(label, requestId, reason);
  }

  /** False when the call is unknown, or has not arrived yet. Each call is cancelled once. */
  cancelHere(label: string, requestId: string | number, reason: CancelReason): boolean {
    this.#prune();
    const key = keyOf(label, requestId);
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry?.cancel === undefined) {
      this.#entries.set(key, { at: this.#clock.monotonic(), cancel: undefined });
      return false;
    }
    entry.cancel(reason);
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

/** Both are the client's, who may send megabytes; they are kept for minutes. */
const keyCharsMax = 200;

function keyOf(label: string, requestId: string | number): string {
  const key = `${label}\n${typeof requestId}${requestId}`;
  return key.length <= keyCharsMax ? key : hash('sha256', key, 'base64url');
}
