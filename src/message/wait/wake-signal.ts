// Wakes a wait. A signal is only a hint: the wait then reads the store.

export class WakeSignal {
  /** Set by a signal, cleared by the wait before each read: a signal during a read means read again. */
  isSignalled = false;
  #wake: (() => void) | undefined;

  signal(): void {
    this.isSignalled = true;
    this.#wake?.();
  }

  /** `wake` is called on the next signal; undefined while the wait is not asleep. */
  set onSignal(wake: (() => void) | undefined) {
    this.#wake = wake;
  }
}
